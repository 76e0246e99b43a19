-- How long was play, over the sessions whose time is known?
--   hands   hands of those sessions
--   us      microseconds from the first hand's beginning to the last one's end, summed over sessions
select
    cast(coalesce(sum(hands), 0) as bigint) as hands,
    cast(coalesce(sum(us), 0) as bigint) as us
from (
    select count(*) as hands, max(ended_at) - min(begun_at) as us
    from table_hands
    group by session
) as played
where us > 0

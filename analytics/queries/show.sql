-- Who went to the show, and who won?
--   player, part   whose, and which part of the division asked for (empty: no division)
--   to_show_n, to_show_of   was in at a show of two hands or more / was in after the draw
--   won_at_show_n, won_at_show_of   won a share of the pool / was in at a show
--   won_without_show_n, won_without_show_of   won the pool with no show / was in after the draw
select
    player,
    part,
    cast(sum(to_show_n) as bigint) as to_show_n,
    cast(sum(to_show_of) as bigint) as to_show_of,
    cast(sum(won_at_show_n) as bigint) as won_at_show_n,
    cast(sum(won_at_show_of) as bigint) as won_at_show_of,
    cast(sum(won_without_show_n) as bigint) as won_without_show_n,
    cast(sum(won_without_show_of) as bigint) as won_without_show_of
from scope
group by player, part

-- How did a player fare from session to session: best, worst, and how often did he lose in a row?
--   player, part          whose, and which part of the division
--   best, best_session    the best net of a session, and the first session of that net
--   worst, worst_session  the worst
--   losing_run            the most sessions lost one after the other
--   run_from, run_to      the first and the last session of the first such run; empty where none was lost
with summed as (
    select player, part, session, cast(sum(net) as bigint) as net
    from scope_nets
    group by player, part, session
    having sum(hands) > 0
),

per_session as (
    select summed.*, sessions.opened_at
    from summed
    inner join sessions on sessions.session = summed.session
),

placed as (
    select
        per_session.*,
        row_number() over (partition by player, part order by net desc, opened_at, session) as from_best,
        row_number() over (partition by player, part order by net, opened_at, session) as from_worst,
        row_number() over (partition by player, part order by opened_at, session) as turn,
        sum(case when net < 0 then 0 else 1 end)
            over (partition by player, part order by opened_at, session rows unbounded preceding) as stretch
    from per_session
),

runs as (
    select player, part, stretch, count(*) as long, min(turn) as first_turn, max(turn) as last_turn
    from placed
    where net < 0
    group by player, part, stretch
),

longest as (
    select
        runs.*,
        row_number() over (partition by player, part order by long desc, first_turn) as place
    from runs
)

select
    placed.player,
    placed.part,
    max(case when placed.from_best = 1 then placed.net end) as best,
    max(case when placed.from_best = 1 then placed.session end) as best_session,
    max(case when placed.from_worst = 1 then placed.net end) as worst,
    max(case when placed.from_worst = 1 then placed.session end) as worst_session,
    coalesce(max(longest.long), 0) as losing_run,
    max(case when placed.turn = longest.first_turn then placed.session end) as run_from,
    max(case when placed.turn = longest.last_turn then placed.session end) as run_to
from placed
left join longest
    on longest.player = placed.player and longest.part = placed.part and longest.place = 1
group by placed.player, placed.part

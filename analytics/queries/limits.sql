-- Who set a limit to his losses or a time to stop, and how did the evening keep it, by the house's way of counting?
-- What counts as lost is, at each hand's end: session, how he stands; gross, what his losing hands lost; day, the net of
-- his hands that ended on that calendar day in the session's zone, of whatever session; 24_hours, of those that ended in
-- the 24 hours up to it. Where several ended at the same told time, those of a session come one after the other. Days and
-- 24 hours add up sessions of the same unit of money only. Counts and the kitty's payments move how he stands, and so
-- what counts by session; by day and by 24 hours hands alone count. A limit is kept or not while it is played:
-- corrections after the close are in nothing here.
--   session, player, zone, played_on, month, week   whose, and which session
--   unit_numerator, unit_denominator, currency, decimals   what one counter costs there; empty: no price
--   counts               the house's way of counting
--   limit_units          the limit he set; empty: none
--   net, lowest          how he stands; the lowest he stood at the end of a hand
--   most_lost            the most that counted as lost; 0: never behind
--   reached_at_hand      the hand at whose end it had come to the limit as that stood then; empty: never
--   hands_after          hands dealt in after that
--   overrun              units lost above the limit, as that stood then, at the worst
--   stop_at              when he meant to cease play; empty: not set
--   us_after             microseconds from then to the end of the last hand dealt in
with played as (
    select
        hand_players.session,
        hand_players.player,
        hand_players.hand,
        hand_players.dealt,
        hand_players.net - hand_players.corrected as net,
        hand_players.running,
        hand_players.limit_units as limit_then,
        hands.ended_at,
        hands.day,
        sessions.unit_numerator,
        sessions.unit_denominator,
        sessions.currency
    from hand_players
    inner join hands on hands.session = hand_players.session and hands.hand = hand_players.hand
    inner join sessions on sessions.session = hand_players.session
    where hand_players.player in (select player from limits)
),

counted as (
    select
        played.*,
        -sum(net) over (
            partition by player, day, unit_numerator, unit_denominator, currency
            order by ended_at, session, hand rows unbounded preceding
        ) as lost_day,
        coalesce(sum(net) over (
            partition by player, unit_numerator, unit_denominator, currency, ended_at
            order by session, hand rows between 1 following and unbounded following
        ), 0) - sum(net) over (
            partition by player, unit_numerator, unit_denominator, currency
            order by ended_at range between 86399999999 preceding and current row
        ) as lost_24_hours,
        sum(case when net < 0 then -net else 0 end) over (
            partition by player, session order by hand rows unbounded preceding
        ) as lost_gross
    from played
),

measured as (
    select
        counted.session,
        counted.player,
        counted.hand,
        counted.dealt,
        counted.ended_at,
        counted.limit_then,
        limits.counts,
        case limits.counts
            when 'session' then -counted.running
            when 'gross' then counted.lost_gross
            when 'day' then counted.lost_day
            else counted.lost_24_hours
        end as lost
    from counted
    inner join limits on limits.session = counted.session and limits.player = counted.player
),

reached as (
    select
        session,
        player,
        min(case when counts in ('day', '24_hours') and lost >= limit_then then hand end) as at_hand
    from measured
    group by session, player
),

kept as (
    select
        measured.session,
        measured.player,
        max(case when measured.lost > 0 then measured.lost else 0 end) as most_lost,
        max(case when measured.lost > measured.limit_then then measured.lost - measured.limit_then else 0 end)
        as overrun,
        max(reached.at_hand) as reached_at_hand,
        count(case when measured.hand > reached.at_hand and measured.dealt = 1 then 1 end) as hands_after
    from measured
    inner join reached on reached.session = measured.session and reached.player = measured.player
    group by measured.session, measured.player
)

select
    limits.session,
    limits.player,
    sessions.zone,
    sessions.played_on,
    sessions.month,
    sessions.week,
    sessions.unit_numerator,
    sessions.unit_denominator,
    sessions.currency,
    sessions.decimals,
    limits.counts,
    limits.limit_units,
    limits.net,
    limits.lowest,
    cast(coalesce(kept.most_lost, 0) as bigint) as most_lost,
    case when limits.counts in ('session', 'gross') then limits.reached_at_hand else kept.reached_at_hand end
    as reached_at_hand,
    case when limits.counts in ('session', 'gross') then limits.hands_after else coalesce(kept.hands_after, 0) end
    as hands_after,
    cast(coalesce(kept.overrun, 0) as bigint) as overrun,
    limits.stop_at,
    cast(
        case when limits.last_hand_at > limits.stop_at then limits.last_hand_at - limits.stop_at else 0 end as bigint
    ) as us_after
from limits
inner join scope_sessions as sessions on sessions.session = limits.session
left join kept on kept.session = limits.session and kept.player = limits.player
order by sessions.opened_at, limits.session, limits.player

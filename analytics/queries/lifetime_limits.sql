-- How did a player keep his limits, session by session?
--   player, title, played_on, zone   whose, and in which session
--   unit_numerator, unit_denominator, currency, decimals
--                                    what a unit is worth there; empty where counters have no price
--   limit_units, lowest              the limit he set to his losses (empty: none), the lowest he stood
--   reached_at_hand, hands_after     the hand at whose end it was reached, hands dealt in after that
--   stop_at, last_hand_at            when he meant to cease play (empty: not set), the end of his last hand
select
    limits.player,
    scope_sessions.title,
    scope_sessions.played_on,
    scope_sessions.zone,
    scope_sessions.unit_numerator,
    scope_sessions.unit_denominator,
    scope_sessions.currency,
    scope_sessions.decimals,
    limits.limit_units,
    limits.lowest,
    limits.reached_at_hand,
    limits.hands_after,
    limits.stop_at,
    limits.last_hand_at
from limits
inner join scope_sessions on scope_sessions.session = limits.session
order by scope_sessions.played_on, scope_sessions.opened_at, limits.session, limits.player

-- How long did a player sit, and what is in his settlement that no hand brought him?
--   player            whose
--   sessions          sessions with a hand of his
--   unit_numerator, unit_denominator, currency, decimals   what one counter costs there; empty: no price
--   played_us         microseconds from first hand to last, less absences
--   kitty_received    units the kitty paid him, shares of it too
--   unrecorded        units counted above the record
--   corrected         units that corrections after the close which name no hand gave him
--   settled           held and bought back less bought, every correction in: what `settle` says
select
    session_players.player,
    sessions.unit_numerator,
    sessions.unit_denominator,
    sessions.currency,
    sessions.decimals,
    count(*) as sessions,
    cast(sum(session_players.played_us) as bigint) as played_us,
    cast(sum(session_players.kitty_received) as bigint) as kitty_received,
    cast(sum(session_players.unrecorded) as bigint) as unrecorded,
    cast(sum(session_players.corrected) as bigint) as corrected,
    cast(sum(session_players.settled) as bigint) as settled
from session_players
inner join scope_sessions as sessions on sessions.session = session_players.session
group by
    session_players.player, sessions.unit_numerator, sessions.unit_denominator, sessions.currency, sessions.decimals

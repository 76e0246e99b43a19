-- From whose pools did the kitty take, and how much?
--   player         whose
--   unit_numerator, unit_denominator, currency, decimals   what one counter costs there; empty: no price
--   given          units the kitty took from pools he won; of a shared pool his equal part
select
    hand_players.player,
    sessions.unit_numerator,
    sessions.unit_denominator,
    sessions.currency,
    sessions.decimals,
    cast(sum(hand_players.kitty_given) as bigint) as given
from hand_players
inner join scope_sessions as sessions on sessions.session = hand_players.session
where hand_players.kitty_given > 0
group by
    hand_players.player, sessions.unit_numerator, sessions.unit_denominator, sessions.currency, sessions.decimals
order by hand_players.player

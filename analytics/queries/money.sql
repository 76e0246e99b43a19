-- What did hands bring in, per player and unit of money?
--   player, part        whose, and which part of the division asked for (empty: no division)
--   unit_numerator, unit_denominator, currency, decimals   what one counter costs there; empty: no price
--   sessions            sessions with a hand of his
--   hands               hands dealt in
--   net                 units won less lost in hands, rulings and divided pools in
--   net_sq              the sum of the squares of the nets of single hands
--   net_at_show         net over hands in which he was in at the show
--   net_without_show    net over all other hands
--   ante_net            net over hands in which he put up the age's ante or a blind
--   straddle_net        net over hands in which he straddled
--   jackpot_net         net over jack-pots
--   kitty_given         units the kitty took from pools he won
select
    scope.player,
    scope.part,
    sessions.unit_numerator,
    sessions.unit_denominator,
    sessions.currency,
    sessions.decimals,
    count(distinct scope.session) as sessions,
    cast(sum(scope.hands) as bigint) as hands,
    cast(sum(scope.net) as bigint) as net,
    sum(scope.net_sq) as net_sq,
    cast(sum(scope.net_at_show) as bigint) as net_at_show,
    cast(sum(scope.net_without_show) as bigint) as net_without_show,
    cast(sum(scope.ante_net) as bigint) as ante_net,
    cast(sum(scope.straddle_net) as bigint) as straddle_net,
    cast(sum(scope.jackpot_net) as bigint) as jackpot_net,
    cast(sum(scope.kitty_given) as bigint) as kitty_given
from scope
inner join sessions on sessions.session = scope.session
group by
    scope.player, scope.part, sessions.unit_numerator, sessions.unit_denominator, sessions.currency, sessions.decimals

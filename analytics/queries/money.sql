-- What did hands bring in, per player and unit of money?
--   player, part        whose, and which part of the division asked for (empty: no division)
--   unit_numerator, unit_denominator, currency, decimals   what one counter costs there; empty: no price
--   sessions            sessions with a hand of his
--   hands               hands dealt in
--   net                 units won less lost in hands, rulings, corrections of hands and divided pools in
--   net_sq              the sum of the squares of the nets of single hands
--   net_at_show         net over hands in which he was in at the show
--   net_without_show    net over all other hands
--   ante_net            net over hands in which he put up the age's ante or a blind
--   straddle_net        net over hands in which he straddled
--   jackpot_net         net over jack-pots
--   kitty_given         units the kitty took from pools he won
with per_session as (
    select
        player,
        part,
        session,
        sum(hands) as hands,
        sum(net) as net,
        sum(net_sq) as net_sq,
        sum(net_at_show) as net_at_show,
        sum(net_without_show) as net_without_show,
        sum(ante_net) as ante_net,
        sum(straddle_net) as straddle_net,
        sum(jackpot_net) as jackpot_net,
        sum(kitty_given) as kitty_given
    from scope_nets
    group by player, part, session
)

select
    per_session.player,
    per_session.part,
    sessions.unit_numerator,
    sessions.unit_denominator,
    sessions.currency,
    sessions.decimals,
    count(case when per_session.hands > 0 then 1 end) as sessions,
    cast(sum(per_session.hands) as bigint) as hands,
    cast(sum(per_session.net) as bigint) as net,
    sum(per_session.net_sq) as net_sq,
    cast(sum(per_session.net_at_show) as bigint) as net_at_show,
    cast(sum(per_session.net_without_show) as bigint) as net_without_show,
    cast(sum(per_session.ante_net) as bigint) as ante_net,
    cast(sum(per_session.straddle_net) as bigint) as straddle_net,
    cast(sum(per_session.jackpot_net) as bigint) as jackpot_net,
    cast(sum(per_session.kitty_given) as bigint) as kitty_given
from per_session
inner join sessions on sessions.session = per_session.session
group by
    per_session.player, per_session.part, sessions.unit_numerator, sessions.unit_denominator, sessions.currency,
    sessions.decimals

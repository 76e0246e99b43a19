-- What did each session bring a player, one after the other?
--   session, title, played_on        which session, its title and date
--   unit_numerator, unit_denominator, currency, decimals
--                                    what a unit is worth there; empty where counters have no price
--   hands, net, net_sq               hands dealt in, units won less lost in them, the sum of the squares
--   settled                          what he came to in the settlement: kitty payments, counts and corrections are in it
with won as (
    select session, player, sum(hands) as hands, sum(net) as net, sum(net_sq) as net_sq
    from scope
    group by session, player
),

came_to as (
    select session, player, sum(settled) as settled
    from session_players
    group by session, player
)

select
    won.session,
    sessions.title,
    sessions.played_on,
    sessions.unit_numerator,
    sessions.unit_denominator,
    sessions.currency,
    sessions.decimals,
    cast(came_to.settled as bigint) as settled,
    cast(won.hands as bigint) as hands,
    cast(won.net as bigint) as net,
    cast(won.net_sq as decimal(38, 0)) as net_sq
from won
inner join sessions on sessions.session = won.session
inner join came_to on came_to.session = won.session and came_to.player = won.player
order by sessions.played_on, sessions.opened_at, won.session

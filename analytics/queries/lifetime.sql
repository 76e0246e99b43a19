-- What did each session bring a player, one after the other?
--   session, title, played_on        which session, its title and date
--   unit_numerator ... decimals      what a unit is worth there; empty where counters have no price
--   hands, net, net_sq               hands dealt in, units won less lost in them, the sum of the squares
--   settled                          what he came to in the settlement: kitty payments and counts are in it
select
    scope.session,
    sessions.title,
    sessions.played_on,
    sessions.unit_numerator,
    sessions.unit_denominator,
    sessions.currency,
    sessions.decimals,
    session_players.settled,
    cast(sum(scope.hands) as bigint) as hands,
    cast(sum(scope.net) as bigint) as net,
    cast(sum(scope.net_sq) as decimal(38, 0)) as net_sq
from scope
inner join sessions on sessions.session = scope.session
inner join session_players on session_players.session = scope.session and session_players.player = scope.player
group by
    scope.session, sessions.title, sessions.played_on, sessions.opened_at, sessions.unit_numerator,
    sessions.unit_denominator, sessions.currency, sessions.decimals, session_players.settled
order by sessions.played_on, sessions.opened_at, scope.session

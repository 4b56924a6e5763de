import { Hono } from 'hono'
import type pg from 'pg'
import type { Actor } from '../access/rules/actor.ts'
import { getAppointment } from '../appointments/change-time.ts'
import { isItsAssignee } from '../appointments/rules/appointment.ts'
import { factsOf } from '../appointments/transition.ts'
import type { Db } from '../platform/database/client.ts'
import type { OnsiteEnv } from '../platform/http/types.ts'
import { announce, listenOn } from '../platform/live/announcements.ts'
import type { Pin } from '../projects/rules/pin.ts'
import { positionInput } from '../scheduling/rules/schema.ts'
import { refuse } from '../shared/refusal.ts'

/** How long a position counts, and is remembered. */
const freshMs = 3 * 60_000

/** A phone sends one every half minute; what comes faster is not looked at. */
const pauseMs = 10_000

/** The channel by which the web processes tell each other. */
const channel = 'positions'

type Place = Pin & { at: Date }

/** In the memory of this process, by appointment: in no table, log, event or backup. */
const memory = new WeakMap<pg.Pool, Map<string, Place>>()

function placesOf({ $client }: Db): Map<string, Place> {
  const places = memory.get($client) ?? new Map<string, Place>()
  memory.set($client, places)
  return places
}

function remember(db: Db, id: string, place: Place | null): void {
  const places = placesOf(db)
  if (!place) return void places.delete(id)
  places.set(id, place)
  const forget = () => places.get(id) === place && places.delete(id)
  setTimeout(forget, freshMs).unref()
}

/** Where the technician of an appointment said to be a moment ago; null where they share nothing. */
export function placeOnTheWay(db: Db, id: string, now: Date): Place | null {
  const place = placesOf(db).get(id)
  return place && now.getTime() - place.at.getTime() < freshMs ? place : null
}

/** The technician on the way says where they are, or with null that they share it no more. */
async function sharePlace(db: Db, actor: Actor, id: string, pin: Pin | null, now: Date): Promise<void> {
  const row = await getAppointment(db, actor, id)
  if (!isItsAssignee(actor, factsOf(row))) refuse('permission-denied')
  const mayShare = row.state === 'en_route'
  if (pin && mayShare && now.getTime() - Number(placesOf(db).get(row.id)?.at ?? 0) < pauseMs) return
  const place = pin && mayShare ? { ...pin, at: now } : null
  remember(db, row.id, place)
  const told = place ? `${row.id} ${place.latitude} ${place.longitude} ${now.getTime()}` : row.id
  await db.$client.query('select pg_notify($1, $2)', [channel, told])
  announce(db, { people: [row.customerId], desk: false })
  if (pin && !mayShare) refuse('failed-precondition', 'Tu ubicación se comparte solo mientras vas en camino.')
}

/** Hears what phones told the other processes. The returned function stops it. */
export const hearPlaces = (db: Db): (() => Promise<void>) =>
  listenOn(db, [channel], {
    heard: (_, told) => {
      const [id = '', ...numbers] = told.split(' ')
      const [latitude, longitude, at] = numbers.map(Number)
      const isPlace = latitude !== undefined && longitude !== undefined && at !== undefined
      remember(db, id, isPlace ? { latitude, longitude, at: new Date(at) } : null)
    },
  })

/** Receives positions from phones, below /onsite. */
export function sentPlaces(db: Db): Hono<OnsiteEnv> {
  const app = new Hono<OnsiteEnv>()
  app.post('/:appointment/position', async (c) => {
    const sent = positionInput.safeParse(await c.req.json().catch(() => undefined))
    if (!sent.success) return refuse('invalid-argument')
    await sharePlace(db, c.get('actor'), c.req.param('appointment'), sent.data.place, new Date())
    return c.json({ shared: sent.data.place !== null })
  })
  return app
}

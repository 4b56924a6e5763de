import { and, eq, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { type Context, Hono } from 'hono'
import { type Actor, hasName, isCustomer, type StaffKind } from '../access/rules/actor.ts'
import type { AppointmentRow } from '../appointments/transition.ts'
import { visibleTo } from '../appointments/visibility.ts'
import { type Db, isId, type Queryable } from '../platform/database/client.ts'
import { appointments, faults, files, sheets } from '../platform/database/schema/appointments.ts'
import type { HttpEnv, OnsiteEnv } from '../platform/http/types.ts'
import { bytesHere, partOf } from '../platform/storage/broken-uploads.ts'
import { type Drive, keysOf } from '../platform/storage/drive.ts'
import { openPlaces } from '../platform/storage/places.ts'
import { TooLarge } from '../platform/storage/receive.ts'
import { Refusal } from '../shared/refusal.ts'
import { portraitSeen } from '../users/visit-card.ts'
import { dropFile } from './photo-slots.ts'
import { storeFile } from './photo-upload.ts'
import { sheetVisibleTo } from './rows.ts'
import { asksFacade, largestFile, noShowSlot } from './rules/photos.ts'

type Store = { db: Db; drive: Drive }

/** Receives photos from phones, below /onsite. */
export function sentFiles({ db, drive }: Store): Hono<OnsiteEnv> {
  const app = new Hono<OnsiteEnv>()
  const places = openPlaces({ all: 32, each: 4, full: manyPhotos })
  app.put('/:appointment/files/:id', async (c) => {
    const actor = c.get('actor')
    if (Number(c.req.header('content-length')) > largestFile) throw new TooLarge(largestFile)
    const { appointment: appointmentId, id } = c.req.param()
    const { capturedAt = '', keptBecause, sha256, slot = '' } = c.req.query()
    if (!sha256) throw new Refusal('invalid-argument', { details: { missing: 'sha256' } })
    const incoming = {
      id,
      appointmentId,
      slot,
      sha256,
      capturedAt: new Date(capturedAt),
      keptBecause: keptBecause ?? null,
      body: c.req.raw.body,
      part: partOf(actor, c.req.raw.headers),
    }
    await places.within(actor.id, () => storeFile(db, drive, actor, incoming, new Date()))
    return c.json({ stored: true })
  })
  app.delete('/:appointment/files/:id', async (c) => {
    const { appointment: appointmentId, id } = c.req.param()
    await dropFile(db, drive, c.get('actor'), { appointmentId, id }, new Date())
    return c.json({ dropped: true })
  })
  return app
}

/** Answers how many bytes of a broken upload are here. */
async function tellReceived(c: Context<HttpEnv, '/received/:id'>) {
  const session = c.get('session')
  if (!session) return c.text('Inicia sesión.', 401)
  c.header('cache-control', 'no-store')
  return c.text(String(await bytesHere(session.actor.id, c.req.param('id'))))
}

/** A picture at one of its sizes, for actors who may see it now: browsers cache it and revalidate each time. */
export function shownFiles({ db, drive }: Store): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  app.get('/received/:id', tellReceived)
  app.get('/:id/:size{full|list}', async (c) => {
    const session = c.get('session')
    if (!session) return c.text('Inicia sesión.', 401)
    // As with documents: a user without a profile reads nothing yet, whatever their role will be.
    const file = hasName(session.actor) && (await fileSeen(db, session.actor, c.req.param('id')))
    if (!file) return c.text('No lo encontramos.', 404)
    const size = c.req.param('size') === 'full' ? 'full' : 'list'
    const tag = `"${file.sentSha256.slice(0, 16)}-${size}"`
    c.header('cache-control', 'private, no-cache')
    c.header('etag', tag)
    // Even opened alone, the picture has no script rights.
    c.header('content-security-policy', "default-src 'none'; sandbox")
    if (c.req.header('if-none-match') === tag) return c.body(null, 304)
    const bytes = await drive.get(keysOf(file)[size])
    if (!bytes) return c.text('No lo encontramos.', 404)
    c.header('content-type', size === 'full' ? file.type : 'image/webp')
    return c.body(bytes)
  })
  app.get('/:id/portrait', async (c) => {
    const session = c.get('session')
    if (!session) return c.text('Inicia sesión.', 401)
    const found = hasName(session.actor) && (await portraitSeen(db, session.actor, c.req.param('id')))
    if (!found) return c.text('No lo encontramos.', 404)
    const tag = `"${found.tag}"`
    c.header('cache-control', 'private, no-cache')
    c.header('etag', tag)
    c.header('content-security-policy', "default-src 'none'; sandbox")
    if (c.req.header('if-none-match') === tag) return c.body(null, 304)
    c.header('content-type', 'image/webp')
    return c.body(new Uint8Array(found.photo))
  })
  return app
}

/** For photo uploads: phones retry automatically. */
const manyPhotos = 'Estamos recibiendo muchas fotos. Esta se enviará en un momento.'

const none = sql`false`
const isOfFault = isNotNull(files.faultId)
const isOfNoShow = and(isNull(files.faultId), eq(files.slot, noShowSlot))
/** Its customer sees it, once it is what a no-show rests on. */
const isEvidence = and(isOfNoShow, eq(appointments.state, 'no_show'))
const isOfSheet = and(isNull(files.faultId), ne(files.slot, noShowSlot))

/** The assignee of a visit about a fault sees its customer's photos. */
const faultToLookAt = ({ id }: Actor) =>
  sql`exists (select 1 from ${faults} join ${appointments} own on own.id = ${faults.visitId}
    where ${faults.id} = ${files.faultId} and own.assignee_id = ${id} and own.confirmed_at is not null
      and own.starts_at between now() - interval '30 days' and now() + interval '60 days')`

/** Files without a sheet, by kind of staff: photos of faults, and of no-shows. */
const seenByStaff: Record<StaffKind, (actor: Actor) => SQL | undefined> = {
  manager: () => undefined,
  analyst: () => undefined,
  tecnician: (actor) => or(visibleTo(actor), and(isOfFault, faultToLookAt(actor))),
  alliate: () => none,
  gester: () => none,
}

const seenBesidesSheets = (actor: Actor) =>
  isCustomer(actor)
    ? and(or(isOfFault, isEvidence), eq(appointments.customerId, actor.id))
    : and(or(isOfFault, isOfNoShow), seenByStaff[actor.kind](actor))

/** The current files that an actor may see: a sheet's like the sheet. For all other actors they do not exist. */
const visible = (actor: Actor) =>
  and(isNull(files.replacedAt), or(and(isOfSheet, sheetVisibleTo(actor)), seenBesidesSheets(actor)))

/** A file that the actor may see; null otherwise. */
export async function fileSeen(db: Queryable, actor: Actor, id: string) {
  if (!isId(id)) return null
  const [row] = await db
    .select({ file: files })
    .from(files)
    .innerJoin(appointments, eq(appointments.id, files.appointmentId))
    .leftJoin(sheets, eq(sheets.appointmentId, files.appointmentId))
    .where(and(eq(files.id, id), visible(actor)))
  return row?.file ?? null
}

/** The photo that proves a no-show; null where there is none, or none that the actor may see. */
export async function facadeOf(db: Queryable, actor: Actor, appointmentId: string) {
  const [facade] = await db
    .select({ id: files.id, width: files.width, height: files.height, capturedAt: files.capturedAt })
    .from(files)
    .innerJoin(appointments, eq(appointments.id, files.appointmentId))
    .leftJoin(sheets, eq(sheets.appointmentId, files.appointmentId))
    .where(and(eq(files.appointmentId, appointmentId), isOfNoShow, visible(actor)))
  return facade ?? null
}

export type Facade = NonNullable<Awaited<ReturnType<typeof facadeOf>>>

/** The error of a no-show without the photo that it needs; none where there is one, or it needs none. */
export async function lacksFacade(
  db: Queryable,
  actor: Actor,
  { id, service }: Pick<AppointmentRow, 'id' | 'service'>,
): Promise<Record<string, string>> {
  if (!asksFacade(actor, service) || (await facadeOf(db, actor, id))) return {}
  return { photo: 'Toma una foto de la fachada.' }
}

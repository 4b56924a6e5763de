import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { and, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import { type Actor, hasName, isCustomer, type StaffKind } from '../access/rules/actor.ts'
import { isNotDeleted, noteRead, readOf } from '../accounts/privacy.ts'
import { type Db, isId, type Queryable, type Tx } from '../platform/database/client.ts'
import { cfeCases } from '../platform/database/schema/cfe.ts'
import { documents } from '../platform/database/schema/payments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import type { HttpEnv } from '../platform/http/types.ts'
import { copyInThread } from '../platform/pdf/render.ts'
import { type Drive, paperKey } from '../platform/storage/drive.ts'
import { keepOnly, takeShare } from '../platform/storage/keep.ts'
import { sizesOf } from '../platform/storage/pictures.ts'
import { receive } from '../platform/storage/receive.ts'
import { casesVisibleTo } from '../projects/cases.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import {
  type CustomerPurpose,
  type DocumentPurpose,
  type DocumentType,
  documentName,
  documentPurposes,
  largestDocument,
  mayHandIn,
} from './rules/document.ts'
import { faultOfPdf, readUpload } from './rules/file-rules.ts'

/** An uploaded file. `field` is its field on the form, under which an error is shown. */
type Handed = { file: File; field?: string }
type Input = Handed & {
  purpose: CustomerPurpose
  customerId: string
  projectId: string | null
}

type Row = typeof documents.$inferInsert
type Kept = Omit<Row, 'createdAt' | 'replacedAt' | 'customerId' | 'agencyId' | 'projectId'> & { id: string }

/** A document whose bytes are kept, and whose row is not written yet. */
export type Taken = Kept & { customerId: string; projectId: string | null }

/** The same of a paper of an agency's, or of a technician's or the company's own. */
type TakenOfBusiness = Kept & { agencyId: string | null }

/**
 * Takes a file in before the transaction that it is for: what it is by its own bytes, a picture re-encoded, to the drive. Its
 * row comes with `attach`, inside `keepPapers`.
 */
export async function takeDocument(db: Db, drive: Drive, actor: Actor, input: Input): Promise<Taken> {
  const { customerId, projectId, purpose } = input
  if (!mayHandIn(actor, purpose, customerId)) refuse('permission-denied')
  if (projectId !== null) await assertTheirs(db, projectId, customerId)
  return { ...(await kept({ db, drive }, actor, purpose, input)), customerId, projectId }
}

/** The same of a paper of what was paid to an agency, or of a technician's or the company's own. */
export async function takeBusinessDocument(
  db: Db,
  drive: Drive,
  actor: Actor,
  input: Handed & { agencyId: string | null },
): Promise<TakenOfBusiness> {
  const purpose = input.agencyId === null ? 'staff_paper' : 'commission_proof'
  if (!mayHandIn(actor, purpose, null)) refuse('permission-denied')
  return { ...(await kept({ db, drive }, actor, purpose, input)), agencyId: input.agencyId }
}

async function kept(
  store: { db: Db; drive: Drive },
  actor: Actor,
  purpose: DocumentPurpose,
  { field = 'file', file }: Handed,
): Promise<Kept> {
  const wrong = (message: string) => refuse('invalid-argument', message, { errors: { [field]: message } })
  const { bytes, type } = await judged(file, purpose, actor, wrong, () =>
    takeShare(store.db, store.drive, actor, file.size, new Date()),
  )
  const id = randomUUID()
  await store.drive.put(paperKey({ id }), bytes, type)
  return {
    id,
    purpose,
    type,
    name: documentName(file.name, type),
    uploadedBy: actor.id,
    bytes: bytes.byteLength,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
}

/**
 * Runs the change that papers were taken in for, at its moment. Those without a row after it go from the drive again, and so
 * does what they took the place of.
 */
export const keepPapers = <Result>(
  { db, drive }: { db: Db; drive: Drive },
  papers: readonly (Taken | TakenOfBusiness)[],
  now: Date,
  change: () => Promise<Result>,
): Promise<Result> =>
  keepOnly({ db, drive }, papers.map(paperKey), change, async () => {
    if (papers.length === 0) return []
    const ids = papers.map(({ id }) => id)
    const owners = papers.flatMap((paper) => ('customerId' in paper ? [paper.customerId] : []))
    const replaced = and(inArray(documents.customerId, owners), eq(documents.replacedAt, now))
    const rows = await db
      .select({ id: documents.id, replacedAt: documents.replacedAt })
      .from(documents)
      .where(or(inArray(documents.id, ids), replaced))
    const living = new Set(rows.filter(({ replacedAt }) => replacedAt === null).map(({ id }) => id))
    return [...papers, ...rows].filter(({ id }) => !living.has(id)).map(paperKey)
  })

/** Runs a change that ends a paper, whose id it answers: once it stands, the paper's bytes go from the drive. */
export const dropPapers = async (store: { db: Db; drive: Drive }, change: () => Promise<string | null>) => {
  await keepOnly(store, [], change, (id) => (id === null ? [] : [paperKey({ id })]))
}

/** Writes the row of what was taken in, inside the transaction it was taken in for. Answers its id. */
export async function attach(tx: Tx, taken: Taken | TakenOfBusiness): Promise<string> {
  await tx.insert(documents).values(taken)
  return taken.id
}

/** The same where there is one at a time: it takes the place of the one before, unless that is the very same. The caller holds the row it belongs to. */
export async function attachInstead(tx: Tx, taken: Taken, now: Date): Promise<string> {
  const { customerId, projectId, purpose, sha256 } = taken
  const living = and(
    eq(documents.customerId, customerId),
    eq(documents.purpose, purpose),
    isNull(documents.replacedAt),
    projectId === null ? isNull(documents.projectId) : eq(documents.projectId, projectId),
  )
  const [before] = await tx.select().from(documents).where(living)
  if (before?.sha256 === sha256) return before.id
  if (before) await tx.update(documents).set({ replacedAt: now }).where(living)
  return attach(tx, taken)
}

async function assertTheirs(db: Db, projectId: string, customerId: string) {
  const [theirs] = await db
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.id, projectId), eq(projects.customerId, customerId)))
  if (!theirs) refuse('not-found')
}

type Judged = { bytes: Uint8Array; type: DocumentType }

async function judged(
  file: File,
  purpose: DocumentPurpose,
  actor: Actor,
  wrong: (message: string) => never,
  demandShare: () => Promise<void>,
): Promise<Judged> {
  const read = await readUpload(file, purpose)
  if ('fault' in read) return wrong(read.fault)
  await demandShare()
  if (read.kind === 'picture') return madeAnew(file, wrong, actor, documentPurposes[purpose].leastSide)
  if (read.kind === 'xml') return { bytes: read.bytes, type: 'application/xml' }
  // No page is copied: what has one and opens is too long for that.
  const { copied } = await copyInThread(read.bytes, 0)
  if (copied === 'locked' || copied === 'broken') wrong(faultOfPdf(copied, purpose))
  return { bytes: read.bytes, type: 'application/pdf' }
}

/** What is wrong with the papers of a form, by their boxes: said with its other errors, before a paper is taken. */
export const wrongPapers =
  (boxes: Readonly<Record<string, DocumentPurpose>>) =>
  async ({ file }: { file: (box: string) => File | null }): Promise<Record<string, string>> => {
    const errors: Record<string, string> = {}
    for (const [box, purpose] of Object.entries(boxes)) {
      const chosen = file(box)
      const read = chosen && (await readUpload(chosen, purpose))
      const fault = read ? 'fault' in read && read.fault : documentPurposes[purpose].missing
      if (fault) errors[box] = fault
    }
    return errors
  }

/** Refuses a form without its paper. */
export function paperMissing(purpose: DocumentPurpose, box = 'file'): never {
  const { missing } = documentPurposes[purpose]
  return refuse('invalid-argument', missing, { errors: { [box]: missing } })
}

async function madeAnew(
  file: File,
  wrong: (message: string) => never,
  { id }: Actor,
  leastSide = 0,
): Promise<Judged> {
  const received = await receive(file.stream(), largestDocument.picture)
  try {
    const { fullType, height, width } = await sizesOf({ file: received.file, isSignature: false }, id)
    if (Math.max(width, height) < leastSide) wrong(tooSmall)
    return { bytes: new Uint8Array(await readFile(`${received.file}.full`)), type: fullType }
  } catch (error) {
    if (error instanceof Refusal) return wrong(error.description)
    throw error
  } finally {
    await received.discard()
  }
}

const tooSmall =
  'La imagen es muy pequeña y no se alcanza a leer. Sube la captura completa o el PDF de tu banco.'

const none = sql`false`
const seenByStaff: Record<StaffKind, (actor: Actor) => SQL | undefined> = {
  manager: () => undefined,
  // What an agency was paid, and papers of the team, are the manager's alone.
  analyst: () => and(isNotNull(documents.customerId), isNotDeleted(documents.customerId)),
  tecnician: (actor) =>
    sql`${documents.id} in (select document_id from staff_papers where person_id = ${actor.id})`,
  gester: (actor) =>
    sql`${documents.id} in (select cfe_papers.document_id from cfe_papers
      join ${cfeCases} on ${cfeCases.id} = cfe_papers.case_id where ${casesVisibleTo(actor) ?? sql`true`})`,
  alliate: () => none,
}

/** The documents an actor may see, of those in place. For everyone else they do not exist. */
const visible = (actor: Actor) =>
  and(
    isNull(documents.replacedAt),
    isCustomer(actor) ? eq(documents.customerId, actor.id) : seenByStaff[actor.kind](actor),
  )

/** A document that the actor may see; null otherwise. */
export async function documentSeen(db: Queryable, actor: Actor, id: string) {
  if (!isId(id)) return null
  const [row] = await db
    .select()
    .from(documents)
    .where(and(eq(documents.id, id), visible(actor)))
  return row ?? null
}

/** Those of several documents that the actor may see. */
export async function documentsSeen(db: Queryable, actor: Actor, ids: readonly string[]) {
  if (ids.length === 0) return []
  const { bytes, id } = documents
  return db
    .select({ bytes, id })
    .from(documents)
    .where(and(inArray(id, ids), visible(actor)))
}

/** What was handed in for a project, of which there is one at a time; null where nothing was, and for actors who may not see it. */
export async function documentOfProject(
  db: Queryable,
  actor: Actor,
  projectId: string,
  purpose: DocumentPurpose,
) {
  const [row] = await db
    .select({
      id: documents.id,
      name: documents.name,
      bytes: documents.bytes,
      createdAt: documents.createdAt,
    })
    .from(documents)
    .where(and(eq(documents.projectId, projectId), eq(documents.purpose, purpose), visible(actor)))
  return row ?? null
}

/**
 * A document for actors who may see it now. It is another user's file, so it is downloaded and never shown as a page of
 * ours: a script inside a PDF runs in no session.
 */
export function shownDocuments({ db, drive }: { db: Db; drive: Drive }): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  app.get('/:id', async (c) => {
    const session = c.get('session')
    if (!session) return c.redirect('/signin')
    // Who has not completed a profile reads nothing yet, of whatever kind they will be.
    const document = hasName(session.actor) && (await documentSeen(db, session.actor, c.req.param('id')))
    const bytes = document && (await drive.get(paperKey(document)))
    if (!document || !bytes) return c.text('No lo encontramos.', 404)
    const { customerId, id: subjectId } = document
    const what = customerId && (await readOf(db, document))
    if (what) await noteRead(db, session.actor, { customerId, what, subjectId })
    c.header('content-type', document.type.replace(/^\w+\/xml$/, '$&; charset=utf-8'))
    c.header('content-disposition', attachment(document.name))
    c.header('content-security-policy', "default-src 'none'; sandbox")
    c.header('cache-control', 'private, no-store')
    return c.body(bytes)
  })
  return app
}

/** Its name twice (RFC 6266): plain for what reads nothing else, and whole. */
const attachment = (name: string) =>
  `attachment; filename="${name.normalize('NFD').replace(/[^\w .()-]/g, '')}"; filename*=UTF-8''${encoded(name)}`

const encoded = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

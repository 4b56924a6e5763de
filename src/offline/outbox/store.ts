import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import {
  type AnswerRow,
  type FileRow,
  type MoveRow,
  newestFormat,
  type StoredRows,
  type TypedRow,
} from './rows.ts'

type Person = { person: string }

interface Onsite extends DBSchema {
  answers: { key: [string, string, string]; value: AnswerRow; indexes: Person }
  files: { key: string; value: FileRow; indexes: Person }
  moves: { key: string; value: MoveRow; indexes: Person }
  typed: { key: [string, string, string]; value: TypedRow; indexes: Person }
  /** The picture of a photo or signature, apart from its row: rows are read often. */
  blobs: { key: string; value: { id: string; blob: Blob } }
  owners: { key: string; value: WorkOwner }
}

/** Whose unsent work is on this phone, for the sign-in to say so: only as long as there is any. */
export type WorkOwner = { personId: string; name: string | null; email: string }

export type Database = IDBPDatabase<Onsite>

/** Each step adds to the one before, so that what waits on a phone stays readable for every later version. */
const steps: readonly ((database: Database) => unknown)[] = [
  (database) => {
    const answers = database.createObjectStore('answers', { keyPath: ['personId', 'appointmentId', 'name'] })
    const files = database.createObjectStore('files', { keyPath: 'id' })
    const moves = database.createObjectStore('moves', { keyPath: 'id' })
    for (const store of [answers, files, moves]) store.createIndex('person', 'personId')
    database.createObjectStore('blobs', { keyPath: 'id' })
  },
  (database) => {
    const typed = database.createObjectStore('typed', { keyPath: ['personId', 'appointmentId', 'name'] })
    typed.createIndex('person', 'personId')
  },
  (database) => database.createObjectStore('owners', { keyPath: 'personId' }),
]

/** The name of the database in a browser. */
export const storeName = 'carga-onsite'

/** The database of the work on site in this browser. */
export const openStore = () =>
  openDB<Onsite>(storeName, steps.length, {
    upgrade: (database, from) => {
      for (const step of steps.slice(from)) step(database)
    },
    // A newer version of the app waits for this page's connection to close.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  })

/** Everything of a person's that this version can read. */
export async function readRows(database: Database, personId: string): Promise<StoredRows> {
  const [answers, files, moves, typed] = await Promise.all([
    database.getAllFromIndex('answers', 'person', personId),
    database.getAllFromIndex('files', 'person', personId),
    database.getAllFromIndex('moves', 'person', personId),
    database.getAllFromIndex('typed', 'person', personId),
  ])
  return {
    answers: answers.filter(isKnown),
    files: files.filter(isKnown).sort(byTime),
    moves: moves.filter(isKnown).sort((one, other) => one.nth - other.nth),
    typed: typed.filter(isKnown),
  }
}

const isKnown = ({ v }: { v: number }) => v <= newestFormat
const byTime = (one: { at: string }, other: { at: string }) => Date.parse(one.at) - Date.parse(other.at)

/** Age of sent rows for which no page will be opened any more, in milliseconds. */
const longest = 14 * 24 * 60 * 60 * 1000

/** Deletes what was sent, or typed and abandoned, long ago. */
export async function deleteOldRows(database: Database, personId: string): Promise<void> {
  const { answers, files, moves, typed } = await readRows(database, personId)
  for (const { appointmentId, at, name } of typed)
    if (Date.now() - Date.parse(at) > longest) await database.delete('typed', [personId, appointmentId, name])
  const isOld = ({ at, state }: { at: string; state: string }) =>
    state === 'sent' && Date.now() - Date.parse(at) > longest
  for (const { appointmentId, name } of answers.filter(isOld))
    await database.delete('answers', [personId, appointmentId, name])
  for (const { id } of files.filter(isOld)) await removeFile(database, id)
  for (const { id } of moves.filter(isOld)) await database.delete('moves', id)
}

/** Keeps a photo with its row, or neither. */
export async function putFile(database: Database, row: FileRow, blob: Blob | null): Promise<void> {
  // On the disk before it is reported as kept: there is no second moment to take it.
  const change = database.transaction(['files', 'blobs'], 'readwrite', { durability: 'strict' })
  await Promise.all([
    change.objectStore('files').put(row),
    ...(blob ? [change.objectStore('blobs').put({ id: row.id, blob })] : []),
    change.done,
  ])
}

/** Deletes a photo from the phone, row and picture. */
export async function removeFile(database: Database, id: string): Promise<void> {
  const change = database.transaction(['files', 'blobs'], 'readwrite')
  await Promise.all([
    change.objectStore('files').delete(id),
    change.objectStore('blobs').delete(id),
    change.done,
  ])
}

export const pictureOf = async (database: Database, id: string): Promise<Blob | null> =>
  (await database.get('blobs', id))?.blob ?? null

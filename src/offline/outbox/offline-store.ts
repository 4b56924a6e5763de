import { createPhoneState } from './phone-state.ts'
import type { StoredRows } from './rows.ts'
import { type Database, deleteOldRows, openStore, pictureOf, readRows } from './store.ts'

/** What one person has on this phone, as every open tab follows it. */
export type OfflineStore = Readonly<{
  personId: string
  database: Database
  state: ReturnType<typeof createPhoneState>
  /** Notifies the other tabs that something changed. */
  tabs: BroadcastChannel
  /** Receives a request to send now. */
  inputs: EventTarget
}>

const phones = new Map<string, Promise<OfflineStore>>()

/** The one of a person in this tab. It fails where the browser keeps nothing, as in some private windows. */
export function offlineStoreOf(personId: string): Promise<OfflineStore> {
  const known = phones.get(personId) ?? openPhone(personId)
  phones.set(personId, known)
  known.catch(() => phones.delete(personId))
  return known
}

async function openPhone(personId: string): Promise<OfflineStore> {
  const database = await openStore()
  await deleteOldRows(database, personId)
  const tabs = new BroadcastChannel('carga-onsite')
  const phone = { personId, database, tabs, state: createPhoneState(), inputs: new EventTarget() }
  tabs.onmessage = () => void reread(phone)
  await reread(phone)
  return phone
}

/** Reads the phone's rows again: something was changed, in this tab or in another. */
export async function reread(phone: OfflineStore): Promise<void> {
  const rows = await readRows(phone.database, phone.personId)
  phone.state.set({ rows, pictures: await picturesOf(phone, rows) })
}

/** Changes the phone's rows, and notifies every tab. */
export async function change(
  phone: OfflineStore,
  run: (database: Database) => Promise<unknown>,
): Promise<void> {
  await run(phone.database)
  await reread(phone)
  phone.tabs.postMessage(null)
}

/** What every browser shows; of other formats the server has a picture once they were sent. */
const shownEverywhere = /^image\/(?:jpeg|png|webp)$/
const ofOtherFormats = new Set<string>()

/** An object URL for each picture. A sent one is deleted from the phone, and still shown as long as its page stays. */
async function picturesOf({ database, state }: OfflineStore, { files }: StoredRows) {
  const shown = state.get().pictures
  const pictures = new Map<string, string>()
  for (const { id, isDrop, state } of files) {
    const blob = isDrop || shown.has(id) ? null : await pictureOf(database, id)
    if (blob && !shownEverywhere.test(blob.type)) ofOtherFormats.add(id)
    const url = shown.get(id) ?? (blob && URL.createObjectURL(blob))
    if (url && !(state === 'sent' && ofOtherFormats.has(id))) pictures.set(id, url)
  }
  for (const [id, url] of shown) if (!pictures.has(id)) URL.revokeObjectURL(url)
  return pictures
}

import type { Looked, NoPicture } from '../kit/look-at.ts'
import type { PhotoVerdict } from '../reports/rules/photo-quality.ts'
import { isSignature, largestFile, tooLargeWords } from '../reports/rules/photos.ts'
import type { Checked, RawFile } from './draft.ts'
import { addPicture, discard, pictureDigest, putPicture, type WorkRef } from './outbox/local-changes.ts'
import type { OfflineStore } from './outbox/offline-store.ts'
import { format, newestFormat } from './outbox/rows.ts'
import { pictureOf } from './outbox/store.ts'

/** Keeps a picture as it came, before anything can take the page away, and then checks it. */
export async function takePicture(
  phone: OfflineStore,
  place: WorkRef,
  slot: string,
  picture: Blob,
  others: readonly Pick<RawFile, 'slot' | 'sha256'>[],
): Promise<Checked> {
  const id = await addPicture(phone, place, slot, picture, null, others, { isRaw: true })
  const checked = await check(phone, id, slot)
  if (typeof checked === 'object') await discard(phone, id)
  return checked
}

/** Checks the pictures whose page was gone before it could. What is none is for the server to refuse, in its words. */
export async function checkLeft(phone: OfflineStore) {
  for (const { id, look, slot } of phone.state.get().rows.files) {
    if (look !== 'due') continue
    // One that the phone has no room for stays listed as unchecked, and does not keep back the others.
    const end = await check(phone, id, slot).catch(() => null)
    if (end && typeof end === 'object') await settlePicture(phone, id, {})
  }
}

async function check(phone: OfflineStore, id: string, slot: string): Promise<Checked> {
  const file = await pictureOf(phone.database, id)
  const looked = file && (await inspected(file))
  if (looked && 'problem' in looked) return looked
  const { isGood = false, picture = null, verdict = null } = looked ?? {}
  const look = isGood || isSignature(slot) ? null : verdict
  await settlePicture(phone, id, { picture: picture === file ? null : picture, look: look ?? undefined })
  return look ? 'doubt' : verdict ? 'idle' : 'unseen'
}

/** A picture that can't be checked is sent as it is; one that no server takes would wait on the phone for ever. */
const inspected = (file: Blob) =>
  // Its code comes with the first picture, that of a doubt too.
  Promise.all([import('../kit/look-at.ts'), import('../photos/photo-doubt.tsx')])
    .then(([{ inspectPhoto }]) => inspectPhoto(file))
    .catch((): Looked | NoPicture =>
      file.size > largestFile ? { problem: tooLargeWords } : { picture: file, verdict: null, isGood: false },
    )

/** What changes of a raw picture once it was checked, or its author has decided: without a `look` it is sent. */
type Settled = { picture?: Blob | null; look?: PhotoVerdict | undefined; keptBecause?: string | null }

/** Does nothing where the raw picture was replaced or dropped since. */
export async function settlePicture(
  phone: OfflineStore,
  id: string,
  { keptBecause = null, look, picture = null }: Settled,
) {
  const row = await phone.database.get('files', id)
  if (!row?.look) return
  const changed = picture && { sha256: await pictureDigest(picture), bytes: picture.size }
  await putPicture(phone, { ...row, ...changed, look, keptBecause, v: look ? newestFormat : format }, picture)
}

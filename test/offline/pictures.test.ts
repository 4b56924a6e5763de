import { expect, test } from 'vitest'
import { createPhoneState } from '../../src/web/offline/phone-state.ts'
import type { FileRow } from '../../src/web/offline/rows.ts'
import type { Database } from '../../src/web/offline/store.ts'
import { type OfflineStore, reread } from '../../src/web/reports/offline-store.ts'
import { photo } from './rows.ts'

/** A phone without its browser: the rows and pictures that it holds. */
function phoneWith(files: FileRow[], blobs: Record<string, Blob>) {
  const database = {
    getAllFromIndex: async (store: string) => (store === 'files' ? files : []),
    get: async (_: string, id: string) => (blobs[id] ? { id, blob: blobs[id] } : undefined),
  }
  const state = createPhoneState()
  const phone = { personId: 'technician', database: database as unknown as Database, state }
  return { state, reread: () => reread(phone as unknown as OfflineStore) }
}

test('a picture that was sent is still shown from the phone, one that browsers can’t show from the server', async () => {
  const files = [photo('jpeg', 1), photo('heic', 2, { slot: 'garage' })]
  const blobs: Record<string, Blob> = {
    jpeg: new Blob(['a'], { type: 'image/jpeg' }),
    heic: new Blob(['b'], { type: 'image/heic' }),
  }
  const phone = phoneWith(files, blobs)
  const shown = () => [...phone.state.get().pictures.keys()]
  await phone.reread()
  expect(shown()).toEqual(['jpeg', 'heic'])
  for (const file of files) file.state = 'sent'
  for (const id of Object.keys(blobs)) delete blobs[id]
  await phone.reread()
  expect(shown()).toEqual(['jpeg'])
})

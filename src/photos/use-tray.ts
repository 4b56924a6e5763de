import type { DBSchema } from 'idb'
import { useEffect, useRef, useState } from 'react'

/** Whose work pictures belong to. */
export type TrayOwner = { personId: string; appointmentId: string }
type TrayRow = TrayOwner & { id: string; at: string; file: File }
export type TrayPicture = { id: string; url: string; file: File }

interface Trays extends DBSchema {
  pictures: { key: string; value: TrayRow }
}

/** On its own, apart from what waits to be sent: nothing of a tray is ever sent. */
const openTrays = async () =>
  (await import('idb')).openDB<Trays>('carga-tray', 1, {
    upgrade: (database) => void database.createObjectStore('pictures', { keyPath: 'id' }),
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  })

/** Milliseconds after which pictures without a place are dropped from the phone. */
const longest = 14 * 24 * 60 * 60 * 1000

async function readTray({ personId, appointmentId }: TrayOwner): Promise<TrayRow[]> {
  const database = await openTrays()
  const rows = await database.getAll('pictures')
  for (const { at, id } of rows)
    if (Date.now() - Date.parse(at) > longest) await database.delete('pictures', id)
  database.close()
  return rows
    .filter((row) => row.personId === personId && row.appointmentId === appointmentId)
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

async function changeTray(put: readonly TrayRow[], gone: readonly string[]) {
  const database = await openTrays()
  const { done, store } = database.transaction('pictures', 'readwrite')
  await Promise.all([...put.map((row) => store.put(row)), ...gone.map((id) => store.delete(id)), done])
  database.close()
}

/** Pictures chosen from the gallery that have no place yet; the phone keeps them until they have. */
export function useTray(owner: TrayOwner | undefined) {
  const [pictures, setPictures] = useState<readonly TrayPicture[]>([])
  const urls = useRef(new Set<string>())
  const shown = (rows: readonly Pick<TrayRow, 'id' | 'file'>[]) =>
    rows.map(({ id, file }) => {
      const url = URL.createObjectURL(file)
      urls.current.add(url)
      return { id, file, url }
    })
  const person = owner?.personId
  const work = owner?.appointmentId
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once for each owner
  useEffect(() => {
    let isOver = false
    if (person && work)
      readTray({ personId: person, appointmentId: work }).then(
        (rows) => isOver || setPictures((before) => [...shown(rows), ...before]),
        () => undefined,
      )
    return () => {
      isOver = true
    }
  }, [person, work])
  useEffect(
    () => () => {
      for (const url of urls.current) URL.revokeObjectURL(url)
    },
    [],
  )
  const add = (files: readonly File[]) => {
    if (!owner) return
    const at = Date.now()
    const { personId, appointmentId } = owner
    const rows = files.map((file, nth) => ({
      personId,
      appointmentId,
      id: crypto.randomUUID(),
      at: new Date(at + nth).toISOString(),
      file,
    }))
    setPictures((before) => [...before, ...shown(rows)])
    // Without room for them they stay as long as the page does.
    void changeTray(rows, []).catch(() => undefined)
  }
  const remove = (id: string) => {
    setPictures((before) => before.filter((one) => one.id !== id))
    void changeTray([], [id]).catch(() => undefined)
  }
  return { pictures, add, remove }
}

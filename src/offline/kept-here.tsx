import { type ReactNode, useEffect, useState } from 'react'
import { counted } from '../shared/format.ts'
import { Alert } from '../ui/alert.tsx'
import { itemsOf } from './outbox/outbox-items.ts'
import { emptyPhone } from './outbox/phone-state.ts'
import { openStore, readRows, storeName, type WorkOwner } from './outbox/store.ts'

/** Whose unsent work is on this phone: how many items, and when the last of them was made. */
type Kept = WorkOwner & { count: number; at: number }

/**
 * At the sign-in of a phone with unsent work: whose it is and how much, so that nobody takes it for lost. After a
 * session that ended by itself the mailbox of the last one is filled in. `children` is shown where there is none.
 */
export default function KeptHere({ ended, children }: { ended: boolean; children: ReactNode }): ReactNode {
  const [kept, setKept] = useState<readonly Kept[]>([])
  useEffect(() => void keptHere().then(setKept, () => undefined), [])
  const [last] = kept
  useEffect(() => {
    const mailbox = document.querySelector<HTMLInputElement>('input[name=email]')
    // As if the page had come with it: it is nothing that somebody typed.
    if (ended && last && mailbox?.value === '') mailbox.defaultValue = last.email
  }, [ended, last])
  if (kept.length === 0) return children
  return (
    <Alert tone="info" title={ended ? 'Tu sesión terminó' : 'Hay trabajo por enviar en este teléfono'}>
      {kept.map(({ count, name, personId }) => (
        <p key={personId}>
          {counted(count, 'cosa', 'cosas')} {name && `de ${name} `}
          {count === 1 ? 'sigue guardada' : 'siguen guardadas'} aquí.
        </p>
      ))}
      <p>
        {kept.length > 1 || !ended
          ? 'Se envía cuando cada quien vuelva a entrar.'
          : 'Entra otra vez y se envía sin que hagas nada.'}
      </p>
    </Alert>
  )
}

/** Of those who have something open, the one who worked last at the front. Nothing is made where there is no database. */
async function keptHere(): Promise<Kept[]> {
  const there = await globalThis.indexedDB?.databases?.()
  if (!there?.some(({ name }) => name === storeName)) return []
  const database = await openStore()
  const owners = await database.getAll('owners')
  const all = await Promise.all(
    owners.map(async (owner) => {
      const items = itemsOf({ ...emptyPhone, rows: await readRows(database, owner.personId) })
      return { ...owner, count: items.length, at: Math.max(...items.map(({ at }) => at.getTime())) }
    }),
  )
  database.close()
  return all.filter(({ count }) => count > 0).sort((one, other) => other.at - one.at)
}

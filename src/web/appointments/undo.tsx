import { undoInput } from '../../domain/appointments/schema.ts'
import { undoneWords } from '../../domain/appointments/undo.ts'
import { Refusal } from '../../domain/shared/refusal.ts'
import { db } from '../../server/app/context.ts'
import { undoChange } from '../../server/appointments/undo.ts'
import { redirectWithToast } from '../lib/flash.ts'
import { requireActor } from '../lib/require-actor.ts'
import { submit } from '../lib/submit.ts'
import { OrphanedFormError } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/undo.ts'

/** Undoes the changes of a toast, each by itself, and returns to the page it was shown on with what became of them. */
export const action = ({ context, request }: Route.ActionArgs) =>
  submit(request, undoInput, async ({ back, changes }) => {
    const [database, actor] = [context.get(db), requireActor(context)]
    const why: string[] = []
    for (const change of changes)
      await undoChange(database, actor, change, new Date()).catch((error: unknown) => {
        if (!(error instanceof Refusal) || error.code === 'permission-denied') throw error
        why.push(error.description)
      })
    const undone = changes.length - why.length
    const words = undoneWords(undone, why)
    return undone > 0
      ? redirectWithToast(back ?? '/admin', 'Lo deshicimos', words, 'default')
      : redirectWithToast(back ?? '/admin', 'No se pudo deshacer', words, 'destructive')
  })

/** Toasts send their changes here: it is shown only for a form that we did not make. */
export default function Undo() {
  return (
    <>
      <PageHeader title="Deshacer" back={{ to: '/admin', label: 'Inicio' }} />
      <OrphanedFormError />
    </>
  )
}

import type { Actor } from '../../access/rules/actor.ts'
import { undoMove } from '../../cfe/moves.ts'
import { undoPlan } from '../../dispatch/undo-plan.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { OrphanedFormError } from '../../kit/form/form.tsx'
import { signedIn } from '../../kit/request.ts'
import { submit } from '../../kit/submit.ts'
import type { Db } from '../../platform/database/client.ts'
import { quotePartPath } from '../../quotes/rules/quote-path.ts'
import { unsendQuote } from '../../quotes/send.ts'
import { Refusal, unwrap } from '../../shared/refusal.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { updateActive } from '../../users/commands.ts'
import { noDecisions } from '../../users/rules/staffing-change.ts'
import { undoInput } from '../rules/schema.ts'
import { undoneWords } from '../rules/undo.ts'
import { undoChange } from '../undo.ts'
import type { Route } from './+types/undo.ts'

/** Undoes the changes of a toast, each by itself, and returns to the page it was shown on with what became of them. */
export const action = ({ context, request }: Route.ActionArgs) =>
  submit(request, undoInput, async ({ back, changes }) => {
    const { db, actor } = signedIn(context)
    const change = changes.find(({ of }) => of)
    if (change?.of === 'cuenta') return activateAgain(db, actor, change, back)
    if (change?.of) return undoWhole(db, actor, { ...change, ...wholes[change.of] }, back)
    const why: string[] = []
    for (const change of changes)
      await undoChange(db, actor, change, new Date()).catch((error: unknown) => {
        if (!(error instanceof Refusal) || error.code === 'permission-denied') throw error
        why.push(error.description)
      })
    const undone = changes.length - why.length
    const words = undoneWords(undone, why)
    return undone > 0
      ? redirectWithToast(back ?? '/admin', 'Lo deshicimos', words, 'default')
      : redirectWithToast(back ?? '/admin', 'No se pudo deshacer', words, 'destructive')
  })

type Shown = { id: string; version: number }

/** A deactivated account is active again; what became of its appointments stays. */
async function activateAgain(database: Db, actor: Actor, { id, version }: Shown, back: string | null) {
  const terms = { version, confirmed: true, decisions: noDecisions, now: new Date() }
  const result = await updateActive(database, actor, id, true, terms)
  if (!result.ok && result.error.code === 'permission-denied') unwrap(result)
  return result.ok
    ? redirectWithToast(
        back ?? '/admin/users',
        'La cuenta está activa otra vez',
        'Entra con su contraseña de siempre. Las citas que pasaron a otra persona se quedan con ella.',
        'default',
      )
    : redirectWithToast(
        back ?? '/admin/users',
        'No se pudo deshacer',
        result.error.description,
        'destructive',
      )
}

/** What is undone as a whole: how, the page it is on, and what is said about it. */
const wholes = {
  cotizacion: {
    undo: unsendQuote,
    page: quotePartPath,
    title: 'Vuelve a ser un borrador',
    words: 'Su cliente no recibió aviso y ya no la ve.',
  },
  reparto: {
    undo: undoPlan,
    page: () => '/admin/assignations',
    title: 'Lo deshicimos',
    words: 'Todas las citas del plan quedaron como estaban. Nadie recibió aviso.',
  },
  tramite: {
    undo: undoMove,
    page: () => '/admin/gesties',
    title: 'Lo deshicimos',
    words: 'El trámite quedó como estaba. Nadie recibió aviso.',
  },
}

type Whole = Shown & (typeof wholes)[keyof typeof wholes]

/** Back to a page with what became of a change that is undone as a whole. */
const undoWhole = (
  database: Db,
  actor: Actor,
  { id, page, title, undo, version, words }: Whole,
  back: string | null,
) =>
  undo(database, actor, { id, version }, new Date()).then(
    () => redirectWithToast(back ?? page(id), title, words, 'default'),
    (error: unknown) => {
      if (!(error instanceof Refusal) || error.code === 'permission-denied') throw error
      return redirectWithToast(back ?? page(id), 'No se pudo deshacer', error.description, 'destructive')
    },
  )

/** Toasts send their changes here: it is shown only for a form that we did not make. */
export default function Undo() {
  return (
    <>
      <PageHeader title="Deshacer" back={{ to: '/admin', label: 'Inicio' }} />
      <OrphanedFormError />
    </>
  )
}

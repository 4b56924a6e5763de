import { redirectWithToast, redirectWithUndo } from '../../kit/flash.ts'
import { assertModule, type LoaderContext, requestOf, signedIn } from '../../kit/request.ts'
import { checked, form, type SentForm } from '../../kit/submit.ts'
import { openProjectOf } from '../../projects/open-project.ts'
import { refuse } from '../../shared/refusal.ts'
import {
  askForPaper,
  giveCase,
  handInCasePaper,
  noteOnCase,
  reviewCasePaper,
  saveCaseFacts,
} from '../commands.ts'
import { moveCase } from '../moves.ts'
import { ownCasesOf } from '../queries.ts'
import { caseStateFacts, casesPath } from '../rules/case.ts'
import { caseInput, ownPaperInput } from '../rules/schema.ts'

/** The forms of the case `id`. */
export function caseForms(context: LoaderContext, id: string) {
  const { db, actor, now } = signedIn(context)
  const here = `${casesPath}/${id}`
  return {
    'case.move': form(caseInput['case.move'], async (step) => {
      const { state, version } = await moveCase(db, actor, id, step, now)
      const done = `El trámite está «${caseStateFacts[state].label}»`
      const change = { id, version, of: 'tramite' } as const
      return redirectWithUndo(here, done, 'Aquí ves qué sigue y a quién le toca.', [change])
    }),
    'case.facts': form(caseInput['case.facts'], async (facts) => {
      await saveCaseFacts(db, actor, id, facts, now)
      return redirectWithToast(here, 'Guardamos los datos', 'La lista de documentos quedó al día.')
    }),
    'case.note': form(caseInput['case.note'], async ({ note }) => {
      await noteOnCase(db, actor, id, note)
      return redirectWithToast(here, 'Nota guardada', 'Queda en el historial del trámite.')
    }),
    'case.take': form(caseInput['case.take'], async ({ version }) => {
      await giveCase(db, actor, id, { gesterId: actor.id, version })
      return redirectWithToast(here, 'El trámite es tuyo', 'Sus avisos te llegan a ti.')
    }),
    'case.give': form(caseInput['case.give'], async (input) => {
      await giveCase(db, actor, id, input)
      return redirectWithToast(here, 'Pasaste el trámite', 'Le avisamos por correo.')
    }),
    ...paperForms(context, id, here),
  }
}

function paperForms(context: LoaderContext, id: string, here: string) {
  const { db, actor, now, drive } = signedIn(context)
  return {
    'case.validate': form(caseInput['case.validate'], async ({ paper: name, seen }) => {
      await reviewCasePaper(db, actor, id, { name, seen, reason: null }, now)
      return redirectWithToast(here, 'Documento validado', 'Revisa si falta algún otro.')
    }),
    'case.return': form(caseInput['case.return'], async ({ paper: name, reason, seen }) => {
      await reviewCasePaper(db, actor, id, { name, seen, reason }, now)
      return redirectWithToast(here, 'Pediste que lo corrijan', 'Tu motivo queda junto al documento.')
    }),
    'case.hand-in': form(caseInput['case.hand-in'], async ({ paper }, sent) => {
      await handInCasePaper(db, drive, actor, handed(sent, id, paper), now)
      return redirectWithToast(here, 'Recibimos el documento', 'Quedó validado: lo subiste tú.')
    }),
    'case.ask-paper': form(caseInput['case.ask-paper'], async (input) => {
      await askForPaper(db, actor, id, input, now)
      const told =
        input.askedFrom === 'customer' ? 'Se lo pedimos al cliente por correo.' : 'Ya lo puedes subir.'
      return redirectWithToast(here, 'Agregamos el documento', told)
    }),
  }
}

/** The file of a form that uploads a paper. */
const handed = <Name>({ file }: SentForm, caseId: string, name: Name) => ({
  caseId,
  name,
  file: file('file') ?? refuse('invalid-argument', undefined, { errors: { file: 'Elige el archivo.' } }),
})

/** A customer uploads what CFE requires of them. */
export const ownCaseForms = (context: LoaderContext) =>
  checked(() => assertModule(context, 'gesties'), {
    'hand-in-case-paper': form(ownPaperInput, async ({ caseId, paper }, sent) => {
      const input = handed(sent, caseId, paper)
      const { db, drive, actor, now } = signedIn(context)
      await handInCasePaper(db, drive, actor, input, now)
      return redirectWithToast(
        '/installation',
        'Recibimos tu documento',
        'Lo revisamos y te avisamos si falta algo.',
      )
    }),
  })

/** The cases of a customer's open project; none where the module is switched off. */
export async function ownCasesPage(context: LoaderContext) {
  if (!requestOf(context).modules.has('gesties')) return []
  const { db, actor } = signedIn(context)
  const project = await openProjectOf(db, actor)
  return project ? ownCasesOf(db, actor, project.id) : []
}

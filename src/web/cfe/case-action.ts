import type { RouterContextProvider } from 'react-router'
import { caseMoveLabels } from '../../domain/cfe/case.ts'
import { caseInput } from '../../domain/cfe/schema.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { db, drive } from '../../server/app/context.ts'
import { giveCase, moveCase, noteOnCase, saveCaseFacts } from '../../server/cfe/changes.ts'
import { handInCasePaper, reviewCasePaper } from '../../server/cfe/papers.ts'
import { type FormWithFiles, formWithFiles } from '../documents/form-with-files.ts'
import { toast } from '../lib/flash.ts'
import { demandModule } from '../lib/module.ts'
import { someone } from '../lib/someone.ts'
import { submit } from '../lib/submit.ts'
import { casesPath } from './list-query.ts'

type Args = { request: Request; context: Readonly<RouterContextProvider>; params: { id: string } }

/** Answers the forms of a case. */
export async function caseAction({ context, params: { id }, request }: Args) {
  demandModule(context, 'gesties')
  const sent = await formWithFiles(request)
  const here = `${casesPath}/${id}`
  return submit(sent.form, caseInput, async (input) => {
    const [database, actor, now] = [context.get(db), someone(context), new Date()]
    switch (input.intent) {
      case 'case.move': {
        await moveCase(database, actor, id, input, now)
        return toast(
          here,
          `Listo: ${caseMoveLabels[input.move].toLowerCase()}`,
          'Aquí ves qué sigue y a quién le toca.',
        )
      }
      case 'case.validate':
      case 'case.return': {
        const reason = input.intent === 'case.return' ? input.reason : null
        await reviewCasePaper(database, actor, id, { name: input.paper, seen: input.seen, reason }, now)
        return reason === null
          ? toast(here, 'Documento validado', 'Revisa si falta algún otro.')
          : toast(here, 'Pediste que lo corrijan', 'Tu motivo queda junto al documento.')
      }
      case 'case.facts': {
        const { intent, ...facts } = input
        await saveCaseFacts(database, actor, id, facts, now)
        return toast(here, 'Guardamos los datos', 'La lista de documentos quedó al día.')
      }
      case 'case.hand-in': {
        await handInCasePaper(database, context.get(drive), actor, handed(sent, id, input.paper), now)
        return toast(here, 'Recibimos el documento', 'Ya lo puedes validar.')
      }
      case 'case.note':
        await noteOnCase(database, actor, id, input.note)
        return toast(here, 'Nota guardada', 'Queda en la historia del trámite.')
      case 'case.take':
        await giveCase(database, actor, id, { gesterId: actor.id, version: input.version })
        return toast(here, 'El trámite es tuyo', 'Sus avisos te llegan a ti.')
      case 'case.give':
        await giveCase(database, actor, id, input)
        return toast(here, 'Pasaste el trámite', 'Le avisamos por correo.')
    }
  })
}

/** The file of a form that hands in a paper. */
export function handed<Name>({ file }: Pick<FormWithFiles, 'file'>, caseId: string, name: Name) {
  const chosen = 'Elige el archivo.'
  return {
    ...{ caseId, name },
    file: file('file') ?? refuse('invalid-argument', undefined, { errors: { file: chosen } }),
  }
}

import type { RouterContextProvider } from 'react-router'
import { ownPaperInput } from '../../domain/cfe/schema.ts'
import { db, drive, enabledModules } from '../../server/app/context.ts'
import { handInCasePaper } from '../../server/cfe/commands.ts'
import { ownCasesOf } from '../../server/cfe/queries.ts'
import { openProjectOf } from '../../server/projects/open-project.ts'
import { redirectWithToast } from '../lib/flash.ts'
import { assertModule } from '../lib/module.ts'
import { requireActor } from '../lib/require-actor.ts'
import { checked, form } from '../lib/submit.ts'
import { handed } from './forms.ts'

type Context = Readonly<RouterContextProvider>

/** A customer hands in what CFE wants of them. */
export const ownCaseForms = (context: Context) =>
  checked(() => assertModule(context, 'gesties'), {
    'hand-in-case-paper': form(ownPaperInput, async ({ caseId, paper }, sent) => {
      const wish = handed(sent, caseId, paper)
      await handInCasePaper(context.get(db), context.get(drive), requireActor(context), wish, new Date())
      return redirectWithToast(
        '/installation',
        'Recibimos tu documento',
        'Lo revisamos y te avisamos si falta algo.',
      )
    }),
  })

/** The cases of a customer's open project; none where the module is switched off. */
export async function ownCasesPage(context: Context) {
  if (!context.get(enabledModules).has('gesties')) return []
  const [database, actor] = [context.get(db), requireActor(context)]
  const project = await openProjectOf(database, actor.id)
  return project ? ownCasesOf(database, actor, project.id) : []
}

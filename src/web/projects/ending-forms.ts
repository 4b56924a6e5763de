import type { RouterContextProvider } from 'react-router'
import { endingInput } from '../../domain/projects/schema.ts'
import { db } from '../../server/app/context.ts'
import { loseProject, reopenProject } from '../../server/projects/ending.ts'
import { redirectWithToast } from '../lib/flash.ts'
import { requireActor } from '../lib/require-actor.ts'
import { form } from '../lib/submit.ts'

/** Ends a project or reopens it, and redirects to `here`. */
export function endingForms(context: Readonly<RouterContextProvider>, here: string) {
  const [database, actor] = [context.get(db), requireActor(context)]
  return {
    'lose-project': form(endingInput['lose-project'], async (wish) => {
      await loseProject(database, actor, wish, new Date())
      return redirectWithToast(
        here,
        'Proyecto cerrado',
        'Quedó como No concretado y ya no pide nada a nadie.',
      )
    }),
    'reopen-project': form(endingInput['reopen-project'], async ({ projectId }) => {
      await reopenProject(database, actor, projectId)
      return redirectWithToast(here, 'Proyecto reabierto', 'Sigue donde se quedó.')
    }),
  }
}

import type { RouterContextProvider } from 'react-router'
import type { Actor } from '../../domain/access/actor.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { actor } from '../../server/app/context.ts'

/** The person of a screen whose guard let only signed-in people through. */
export const requireActor = (context: Readonly<RouterContextProvider>): Actor =>
  context.get(actor) ?? refuse('unauthenticated')

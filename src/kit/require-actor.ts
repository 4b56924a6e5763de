import type { Actor } from '../access/rules/actor.ts'
import { type LoaderContext, signedIn } from './request.ts'

export { assertModule } from './request.ts'

/** The signed-in person of a screen whose guard requires one. */
export const requireActor = (context: LoaderContext): Actor => signedIn(context).actor

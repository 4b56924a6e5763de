import type { RouterContextProvider } from 'react-router'
import type { Actor } from '../access/rules/actor.ts'
import type { Module } from '../access/rules/routes.ts'
import { actor, enabledModules } from '../app/context.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import { screenOf } from './refusals-as-responses.ts'

/** The signed-in person of a screen whose guard requires one. */
export const requireActor = (context: Readonly<RouterContextProvider>): Actor =>
  context.get(actor) ?? refuse('unauthenticated')

/** Ends a request for a switched-off part of the product: it is not found. First in each of its loaders and actions. */
export function assertModule(context: Readonly<RouterContextProvider>, module: Module): void {
  if (!context.get(enabledModules).has(module)) throw screenOf(new Refusal('not-found'))
}

import type { RouterContextProvider } from 'react-router'
import type { Module } from '../../domain/access/routes.ts'
import { Refusal } from '../../domain/shared/refusal.ts'
import { enabledModules } from '../../server/app/context.ts'
import { screenOf } from './refusals-as-responses.ts'

/** Ends a request for a part of the product that is switched off: it is not found. First in each of its loaders and actions. */
export function assertModule(context: Readonly<RouterContextProvider>, module: Module): void {
  if (!context.get(enabledModules).has(module)) throw screenOf(new Refusal('not-found'))
}

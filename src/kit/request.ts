import type { RouterContextProvider } from 'react-router'
import type { Actor } from '../access/rules/actor.ts'
import type { Module } from '../access/rules/routes.ts'
import { type ScreenRequest, screenRequest } from '../app/context.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import { screenOf } from './refusals-as-responses.ts'

/** Where the router keeps the request for its loaders and actions. */
export type LoaderContext = Readonly<RouterContextProvider>

export const requestOf = (context: LoaderContext): ScreenRequest => context.get(screenRequest)

type SignedIn = ScreenRequest & { actor: Actor }
const isSignedIn = (request: ScreenRequest): request is SignedIn => request.actor !== null

/** The request of a screen whose guard requires a signed-in user. */
export function signedIn(context: LoaderContext): SignedIn {
  const request = requestOf(context)
  return isSignedIn(request) ? request : refuse('unauthenticated')
}

/** Ends a request for a switched-off part of the product: it is not found. First in each of its loaders and actions. */
export function assertModule(context: LoaderContext, module: Module): void {
  if (!requestOf(context).modules.has(module)) throw screenOf(new Refusal('not-found'))
}

import { createContext } from 'react-router'
import type { Viewer } from '../domain/actor.ts'
import type { Db } from './database/database.ts'
import type { Site } from './env.ts'

/** What a request carries to every loader and action. */
export const db = createContext<Db>()
export const actor = createContext<Viewer>(null)
/** Of the Content-Security-Policy; empty in development, where no policy is sent. */
export const nonce = createContext('')
export const site = createContext<Site>()
/** Sign-in by HTTP, rate limits included: a request in better-auth's own form, its answer with cookies. */
export const signIn = createContext<(request: Request) => Promise<Response>>()
/** Shown with unexpected errors so that a person can quote it. */
export const requestId = createContext('')

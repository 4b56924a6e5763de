import { clientStages } from '../../domain/agencies/clients.ts'
import { anId, oneOf, searched } from '../lib/lists.tsx'

export const clientFilters = { stage: oneOf(clientStages), code: anId, ally: anId, text: searched() }

export const clientsPath = '/admin/alliate/clients'
/** Where an ally registers somebody at the counter: a part of the list's own address, which is what guards know. */
export const registerPath = `${clientsPath}?registrar`
/** Where one client is. */
export const clientPath = (id: string) => `${clientsPath}?cliente=${id}`

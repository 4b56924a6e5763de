import type { PartAsked } from './agency-part.ts'

/** What ?seccion=clientes shows. */
export const loadClients = async (_: PartAsked) => ({})

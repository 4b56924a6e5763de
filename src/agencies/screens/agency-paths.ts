import type { AgencySection } from '../rules/agency.ts'

/** The address of an agency's page, and of one of its tabs. */
export const agencyPath = (agencyId: string, section: AgencySection = 'resumen') =>
  section === 'resumen' ? `/admin/agency/${agencyId}` : `/admin/agency/${agencyId}/${section}`

/** The figures of an agency that are had as a file; the names are those of their addresses. */
export type AgencyFigureFile = 'clientes-por-etapa' | 'instalaciones-por-mes' | 'comisiones-por-mes'

/** Where figures are had as a file, of a year or of the last twelve months; clients by stage are those of today. */
export const figuresFile = (agencyId: string, file: AgencyFigureFile, year: string | null) =>
  `/admin/agency/${agencyId}/${file}.csv${year && file !== 'clientes-por-etapa' ? `?periodo=${year}` : ''}`

export const clientsPath = '/admin/alliate/clients'
/** Where an ally registers a client at the counter. */
export const registerPath = `${clientsPath}/registrar`
/** Where one client is. */
export const clientPath = (id: string) => `${clientsPath}/${id}`

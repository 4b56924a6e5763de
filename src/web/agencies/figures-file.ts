/** The figures of an agency that are had as a file; the names are those of their addresses. */
export const agencyFigureFiles = [
  'clientes-por-etapa',
  'instalaciones-por-mes',
  'comisiones-por-mes',
] as const
export type AgencyFigureFile = (typeof agencyFigureFiles)[number]

/** Where figures are had as a file, of a year or of the last twelve months. */
export const figuresFile = (agencyId: string, file: AgencyFigureFile, year: string | null = null) =>
  `/admin/agency/${agencyId}/${file}.csv${year ? `?periodo=${year}` : ''}`

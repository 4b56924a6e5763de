/** The figures of an agency that are had as a file; the names are those of their addresses. */
export const figureFiles = ['clientes-por-etapa', 'instalaciones-por-mes', 'comisiones-por-mes'] as const
export type FigureFile = (typeof figureFiles)[number]

/** Where figures are had as a file, of a year or of the last twelve months. */
export const figuresFile = (agencyId: string, file: FigureFile, year: string | null = null) =>
  `/admin/agency/${agencyId}/${file}.csv${year ? `?periodo=${year}` : ''}`

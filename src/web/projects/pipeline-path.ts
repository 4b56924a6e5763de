import type { PipelinePart } from '../../domain/projects/pipeline.ts'

export const pipelinePath = '/admin/clients'
/** The address of a part of the page; the list is the page's own. */
export const pipelinePartPath = (part: PipelinePart) =>
  part === 'lista' ? pipelinePath : `${pipelinePath}?parte=${part}`

/** The figures that are had as a file; the names are those of their addresses. */
export const figureFiles = {
  'dias-por-etapa': 'Días por etapa',
  'conversion-por-concesionaria': 'Conversión por concesionaria',
  'conversion-por-analista': 'Conversión por analista',
  puntualidad: 'Puntualidad',
  'no-concretados': 'No concretados por motivo',
} as const
export type FigureFile = keyof typeof figureFiles
export const figuresPath = (year: string | null) =>
  `${pipelinePartPath('cifras')}${year ? `&periodo=${year}` : ''}`
export const figureFilePath = (file: FigureFile, year: string | null) =>
  `${pipelinePath}/cifras/${file}.csv${year ? `?periodo=${year}` : ''}`

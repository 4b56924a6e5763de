import type { Stage } from './project.ts'

/** How somebody became an agency's client. */
export const clientSources = {
  link: 'Enlace',
  code: 'Código',
  manager: 'Gerencia',
  counter: 'Mostrador',
  api: 'Sistema de la concesionaria',
} as const
export type ClientSource = keyof typeof clientSources

/** How far a client is: invited until there is an account, then the stage of the project. */
export type ClientStage = 'invited' | Stage

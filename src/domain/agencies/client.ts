import { type Stage, stageLabels, stages, type Waiting, waitingLabels } from '../projects/project.ts'

/** How a customer became an agency's client. */
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
export const clientStages: readonly ClientStage[] = ['invited', ...stages]
export const clientStageLabels: Record<ClientStage, string> = { invited: 'Invitado', ...stageLabels }

/** Whose turn it is, in the words shown to viewers other than the customer. */
export const turnLabels: Record<Waiting, string> = { ...waitingLabels, customer: 'Cliente' }

/** For how many days the link of an invitation serves; after them what was typed of the person is erased. */
export const clientInviteDays = 90

/** What narrows the list of clients, as its address holds it. */
export type ClientFilters = {
  text?: string
  stage?: ClientStage
  /** The id of a code. */
  code?: string
  /** The id of the ally who brought them. */
  ally?: string
}

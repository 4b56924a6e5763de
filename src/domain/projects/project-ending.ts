import { isManager, isOffice } from '../access/actor.ts'

/** Why a project came to nothing. */
export const lostReasons = {
  precio: 'El precio',
  no_viable: 'No es viable',
  otro_proveedor: 'Eligió otro proveedor',
  sin_respuesta: 'No responde',
  ya_no_requiere: 'Ya no lo necesita',
  fuera_de_zona: 'Está fuera de zona',
} as const
export type LostReason = keyof typeof lostReasons

/** Who gives a project up; the managers alone take it up again. */
export const losesProjects = isOffice
export const reopensProjects = isManager

/** The forms that end a project: given up, taken up again, and another one begun once a charger is installed. */
export const loseIntent = 'lose-project'
export const reopenIntent = 'reopen-project'
export const anotherIntent = 'start-another'

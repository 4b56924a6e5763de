import { blockedDays, deletionDue, deletionWaitDays } from '../../domain/own-account.ts'
import { longDate } from '../../domain/shared/format.ts'
import type { Content } from './render.ts'

type Words = Pick<Content, 'heading' | 'paragraphs' | 'link'>
/** What a letter needs to know of its reader. */
export type Standing = { role: 'customer' | 'staff'; deletionRequestedAt: Date | null }
/** Null when the letter is no longer true. */
export type Tells = (baseUrl: string, standing: Standing) => Words | null

const accountOf = (baseUrl: string, { role }: Pick<Standing, 'role'>) => ({
  label: 'Ver mi cuenta',
  href: role === 'customer' ? `${baseUrl}/?cuenta` : `${baseUrl}/admin/account`,
})
const recover = (baseUrl: string) => ({ label: 'Recuperar mi cuenta', href: `${baseUrl}/recover-password` })

export const secondFactorOn: Tells = (baseUrl, standing) => ({
  heading: 'Activaste tu segundo factor',
  paragraphs: [
    'Desde ahora, al iniciar sesión te pediremos también el código de tu aplicación. Cerramos tus demás sesiones.',
    'Guarda tus códigos de recuperación en un lugar seguro: son la forma de entrar si pierdes tu teléfono.',
    'Si no fuiste tú, cambia tu contraseña ahora mismo y pide ayuda.',
  ],
  link: accountOf(baseUrl, standing),
})

export const secondFactorOff: Tells = (baseUrl) => ({
  heading: 'Tu segundo factor está desactivado',
  paragraphs: [
    'Desde ahora, al iniciar sesión solo te pediremos tu contraseña. Puedes activarlo de nuevo en tu cuenta.',
    'Si no fuiste tú ni lo pediste a la gerencia, recupera tu cuenta ahora mismo.',
  ],
  link: recover(baseUrl),
})

export const recoveryCodesRenewed: Tells = (baseUrl) => ({
  heading: 'Tienes códigos de recuperación nuevos',
  paragraphs: ['Los anteriores ya no sirven.', 'Si no fuiste tú, recupera tu cuenta ahora mismo.'],
  link: recover(baseUrl),
})

export const providerLinked: Tells = (baseUrl, standing) => ({
  heading: 'Tu cuenta tiene otra forma de entrar',
  paragraphs: [
    'Desde ahora también puedes entrar con el servicio que acabas de usar, sin tu contraseña.',
    'Si no fuiste tú, quítalo en tu cuenta, en «Otras formas de entrar», y cambia tu contraseña.',
  ],
  link: accountOf(baseUrl, standing),
})

export const deletionAsked: Tells = (baseUrl, standing) =>
  standing.deletionRequestedAt && {
    heading: 'Vamos a eliminar tu cuenta',
    paragraphs: [
      `Lo pediste, y lo haremos dentro de ${deletionWaitDays} días, el ${longDate(deletionDue(standing.deletionRequestedAt))}.`,
      'Si cambias de opinión, o si no fuiste tú, entra a tu cuenta antes de ese día y elige conservarla.',
    ],
    link: accountOf(baseUrl, standing),
  }

export const deletionTakenBack: Tells = (baseUrl, standing) =>
  standing.deletionRequestedAt
    ? null
    : {
        heading: 'Conservamos tu cuenta',
        paragraphs: ['Ya no la vamos a eliminar. No tienes que hacer nada más.'],
        link: accountOf(baseUrl, standing),
      }

export const deletionPutOff: Tells = (baseUrl, standing) =>
  standing.deletionRequestedAt
    ? null
    : {
        heading: 'No eliminamos tu cuenta',
        paragraphs: [
          'Mientras esperábamos empezaste una instalación, y para atenderla necesitamos tu cuenta.',
          'Cuando termine, o si la cancelas, puedes volver a pedirlo.',
        ],
        link: accountOf(baseUrl, standing),
      }

/** The last letter, to an address that we no longer keep. */
export const accountDeleted = (baseUrl: string): Words => ({
  heading: 'Eliminamos tu cuenta',
  paragraphs: [
    'Como lo pediste, tu nombre, tu correo, tu teléfono, tus domicilios y tus accesos ya no están en el servicio.',
    `Los guardamos bloqueados, sin usarlos para nada más que responder por lo que hicimos, durante ${blockedDays} días. Después se suprimen.`,
    'De lo que aceptaste y pagaste conservamos 5 años lo que pide la ley fiscal.',
    'Esta es la última carta que te enviamos. Si algún día quieres volver, puedes crear una cuenta nueva.',
  ],
  link: { label: 'Ir al sitio', href: baseUrl },
})

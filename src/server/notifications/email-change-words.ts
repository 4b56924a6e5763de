import { emailChangeHours, objectionDays } from '../accounts/letter-codes.ts'
import type { Content } from './render.ts'

type Words = Pick<Content, 'heading' | 'paragraphs' | 'link'>
type House = { BRAND: string; baseUrl: string }

/** To the new mailbox: nothing changes until it is opened. */
export const changeEmail = (href: string, { BRAND }: House): Words => ({
  heading: 'Confirma tu correo nuevo',
  paragraphs: [
    `Pidieron usar este correo en una cuenta de ${BRAND}. Confírmalo y desde entonces entras con él. El enlace sirve una sola vez, durante ${emailChangeHours} horas.`,
    'Si no fuiste tú, no tienes que hacer nada: esa cuenta sigue con su correo de antes.',
  ],
  link: { label: 'Usar este correo', href },
})

const objecting = (href: string) => ({ label: 'No fui yo', href })

/** To the mailbox that was proved, as soon as a change was asked for. */
export const emailChangeAsked = (href: string): Words => ({
  heading: 'Pidieron cambiar el correo de tu cuenta',
  paragraphs: [
    'El cambio se hace cuando se abra la carta que enviamos al correo nuevo. Si fuiste tú, o lo pediste a nuestro equipo, no tienes que hacer nada más.',
    `Si no fuiste tú, dínoslo con este enlace: tu cuenta se queda con este correo, eliges otra contraseña y cerramos todas las sesiones. Sirve durante ${objectionDays} días.`,
  ],
  link: objecting(href),
})

/** To the mailbox of before, when another has taken its place. */
export const emailChanged = (href: string): Words => ({
  heading: 'Tu cuenta ya usa otro correo',
  paragraphs: [
    'Desde ahora se entra con el correo nuevo, y ahí llegan tus avisos.',
    `Si no fuiste tú, dínoslo con este enlace: tu cuenta vuelve a este correo, eliges otra contraseña y cerramos todas las sesiones. Sirve durante ${objectionDays} días.`,
  ],
  link: objecting(href),
})

/** To a mailbox that nobody had proved, and that an account had by mistake. */
export const emailLeft = ({ BRAND, baseUrl }: House): Words => ({
  heading: `Este correo ya no está en ${BRAND}`,
  paragraphs: [
    'Alguien había puesto este correo en su cuenta y nunca se confirmó. Ya puso otro, y los enlaces que te enviamos dejaron de servir.',
    'No tienes que hacer nada. Si esa cuenta era tuya, escríbenos.',
  ],
  link: { label: 'Ir al sitio', href: baseUrl },
})

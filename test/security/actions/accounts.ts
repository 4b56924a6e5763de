import { randomUUID } from 'node:crypto'
import {
  type Action,
  type Actions,
  allStaff,
  everybodyNamed,
  type Heard,
  signedIn,
  strangers,
} from './shape.ts'

const own = (form: Record<string, string>, heard: Heard): Action => ({
  name: form.intent!,
  attempt: async () => ({ path: '/admin/account', form }),
  // Each about their own account: what is wrong is the form, not who sends it.
  hears: allStaff(heard),
})
const ownChange = (form: Record<string, string>): Action => {
  const { hears, ...action } = own(form, 303)
  return { ...action, may: hears! }
}
const wrong = 'no-es-la-clave'

const recovering = (form: Record<string, string>, heard: Heard): Action => ({
  name: `recover: ${form.intent}`,
  attempt: async () => ({ path: '/recover-password', form }),
  hears: { ...signedIn, ...strangers(heard) },
})

/** Entering, leaving, and who one is. */
export const accounts: Actions = {
  'accounts/signin.tsx': [
    {
      name: 'sign in',
      attempt: async () => ({
        path: '/signin',
        // Without a password: a wrong one would count against the account.
        form: { email: 'nadie@prueba.mx', password: '' },
      }),
      hears: { ...signedIn, ...strangers(400) },
    },
  ],
  'accounts/signup.tsx': [
    {
      name: 'sign up',
      attempt: async () => ({ path: '/signup', form: { email: 'nadie@prueba.mx', password: 'corta' } }),
      hears: { ...signedIn, ...strangers(400) },
    },
  ],
  'accounts/signout.ts': [],
  'accounts/recover.tsx': [
    recovering({ intent: 'ask', email: '' }, 400),
    recovering({ intent: 'password', oobCode: 'inventado', password: 'una-clave-larga' }, 400),
    recovering({ intent: 'prove', oobCode: 'inventado' }, 400),
    recovering({ intent: 'resend', oobCode: 'inventado' }, 401),
  ],
  'accounts/account.tsx': [
    own({ intent: 'profile', version: '7', name: 'Otro', lastname: 'Nombre', phone: '5512345678' }, 409),
    own({ intent: 'password', currentPassword: wrong, newPassword: 'una-clave-larga' }, 409),
    own({ intent: 'close-session', sessionId: randomUUID() }, 404),
    own({ intent: 'second-factor-start', currentPassword: wrong }, 409),
    own({ intent: 'second-factor-confirm', code: '123456' }, 409),
    own({ intent: 'second-factor-codes', currentPassword: wrong, code: '123456' }, 409),
    own({ intent: 'second-factor-off', currentPassword: wrong, code: '123456' }, 409),
    ownChange({ intent: 'password-letter' }),
    ownChange({ intent: 'close-others' }),
  ],
}

/** The last: afterwards nobody is without a name any more. */
export const completion: Actions = {
  'accounts/completion.tsx': [
    {
      name: 'complete the profile',
      attempt: async () => ({
        path: '/completion',
        form: { name: 'Nueva', lastname: 'Persona', phone: '5511112222' },
      }),
      hears: everybodyNamed('/'),
      may: { unnamed: 303, unnamedStaff: 303 },
    },
  ],
}

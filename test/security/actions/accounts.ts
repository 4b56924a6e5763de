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
import { askingTimeOff } from './time-off.ts'

/** Forms about oneself: what is wrong is the form, not who sends it. */
const about = (path: string, who: (heard: Heard) => Action['hears']) => ({
  refused: (form: Record<string, string>, heard: Heard): Action => ({
    name: form.intent!,
    attempt: async () => ({ path, form }),
    hears: who(heard)!,
  }),
  done: (form: Record<string, string>): Action => ({
    name: form.intent!,
    attempt: async () => ({ path, form }),
    may: who(303)!,
  }),
})
const staffs = about('/admin/account', allStaff)
const customers = about('/cuenta', (heard) => ({ customer: heard, customer2: heard }))
const wrong = 'no-es-la-clave'

const recovering = (form: Record<string, string>, heard: Heard): Action => ({
  name: `recover: ${form.intent}`,
  attempt: async () => ({ path: '/recover-password', form }),
  hears: { ...signedIn, ...strangers(heard) },
})

/** Only who carries appointments out has a calendar of them. */
const performing = (heard: Heard): Action['may'] => ({
  technician: heard,
  technician2: heard,
  analyst: heard,
})
const calendar =
  (intent: string) =>
  (who: (heard: Heard) => Action['may'], path: string, heard: Heard): Action => ({
    name: intent,
    attempt: async () => ({ path, form: { intent } }),
    may: who(heard)!,
  })
const linking = calendar('calendar-link')
const unlinking = calendar('calendar-unlink')

/** A mailbox written wrong is corrected at home, before it is proved. */
export const emailAtHome = about('/?index', (heard) => ({ customer: heard, customer2: heard })).refused(
  { intent: 'email', email: 'otro@prueba.mx', currentPassword: wrong },
  409,
)

/** Each turns notices on and off in their own browser. */
const news = ({ done, refused }: typeof customers): readonly Action[] => [
  refused({ intent: 'news-on', endpoint: 'javascript:0', p256dh: 'x', auth: 'x' }, 400),
  done({ intent: 'news-off' }),
  done({ intent: 'news-kinds', agenda: 'on', appointments: 'on' }),
]

/** A customer's own account. */
const customersOwn: readonly Action[] = [
  customers.refused(
    { intent: 'profile', version: '7', name: 'Otro', lastname: 'Nombre', phone: '5512345678' },
    409,
  ),
  customers.refused({ intent: 'notices', version: '7', whatsapp: 'on' }, 409),
  customers.refused({ intent: 'password', currentPassword: wrong, newPassword: 'una-clave-larga' }, 409),
  customers.refused({ intent: 'close-session', sessionId: randomUUID() }, 404),
  customers.refused({ intent: 'email', email: 'otro@prueba.mx', currentPassword: wrong }, 409),
  customers.refused({ intent: 'cancel-email' }, 409),
  customers.refused({ intent: 'unlink-provider', linkId: randomUUID() }, 404),
  customers.refused({ intent: 'delete', currentPassword: wrong }, 409),
  customers.refused({ intent: 'second-factor-start', currentPassword: wrong }, 400),
  customers.refused({ intent: 'keep' }, 409),
  customers.done({ intent: 'keys' }),
  customers.done({ intent: 'contrast', high: 'on' }),
  customers.done({ intent: 'password-letter' }),
  ...news(customers),
  customers.done({ intent: 'close-others' }),
  linking((heard) => ({ customer: heard, customer2: heard }), '/cuenta', 200),
  customers.done({ intent: 'calendar-unlink' }),
]

const secondStep = (form: Record<string, string>): Action => ({
  name: `second step: ${form.intent}`,
  attempt: async () => ({ path: '/signin', form }),
  hears: { ...signedIn, ...strangers('/signin') },
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
    // Nobody here stands between the password and the code.
    secondStep({ intent: 'totp-code', code: '123456' }),
    secondStep({ intent: 'recovery-code', recoveryCode: 'abcdef-ghjkmn' }),
    secondStep({ intent: 'start-over' }),
  ],
  'accounts/signup.tsx': [
    {
      name: 'sign up',
      attempt: async () => ({ path: '/signup', form: { email: 'nadie@prueba.mx', password: 'corta' } }),
      hears: { ...signedIn, ...strangers(400) },
    },
  ],
  // Whoever signs out is not refused, and test/accounts/session.test.ts says what happens.
  'accounts/signout.ts': [],
  // JSON: test/security/json.test.ts.
  'accounts/endpoint.ts': [],
  // Leads to the provider, whoever asks: test-slow/browser/provider.spec.ts.
  'accounts/provider-start.ts': [],
  'accounts/recover.tsx': [
    recovering({ intent: 'ask', email: '' }, 400),
    recovering({ intent: 'password', oobCode: 'inventado', password: 'una-clave-larga' }, 400),
    recovering({ intent: 'prove', oobCode: 'inventado' }, 400),
    recovering({ intent: 'prove-by-password', oobCode: 'inventado', password: 'una-clave' }, 400),
    recovering({ intent: 'prove-by-new', oobCode: 'inventado', password: 'una-clave-larga' }, 400),
    recovering({ intent: 'disown', oobCode: 'inventado' }, 400),
    recovering({ intent: 'resend', oobCode: 'inventado' }, 401),
    recovering({ intent: 'change-email', oobCode: 'inventado' }, 400),
    recovering({ intent: 'change-email-new', oobCode: 'inventado', password: 'una-clave-larga' }, 400),
    recovering({ intent: 'object-email', oobCode: 'inventado', password: 'una-clave-larga' }, 400),
  ],
  'accounts/my-account.tsx': customersOwn,
  'accounts/account.tsx': [
    staffs.refused(
      { intent: 'profile', version: '7', name: 'Otro', lastname: 'Nombre', phone: '5512345678' },
      409,
    ),
    staffs.refused({ intent: 'password', currentPassword: wrong, newPassword: 'una-clave-larga' }, 409),
    staffs.refused({ intent: 'close-session', sessionId: randomUUID() }, 404),
    staffs.refused({ intent: 'email', email: 'otro@prueba.mx', currentPassword: wrong }, 409),
    staffs.refused({ intent: 'cancel-email' }, 409),
    staffs.refused({ intent: 'unlink-provider', linkId: randomUUID() }, 404),
    staffs.refused({ intent: 'second-factor-start', currentPassword: wrong }, 409),
    staffs.refused({ intent: 'second-factor-confirm', code: '123456' }, 409),
    staffs.refused({ intent: 'second-factor-codes', currentPassword: wrong, code: '123456' }, 409),
    staffs.refused({ intent: 'second-factor-off', currentPassword: wrong, code: '123456' }, 409),
    ...askingTimeOff,
    {
      name: 'visit-card',
      attempt: async () => ({ path: '/admin/account', form: { intent: 'visit-card', plates: 'ABC-12-34' } }),
      may: { technician: 303, technician2: 303 },
    },
    {
      name: 'say where one’s days begin',
      attempt: async () => ({
        path: '/admin/account',
        form: { intent: 'day-start', startsFrom: 'milpa-alta' },
      }),
      may: { technician: 303, technician2: 303 },
    },
    staffs.done({ intent: 'keys' }),
    staffs.done({ intent: 'contrast', high: 'on' }),
    staffs.done({ intent: 'password-letter' }),
    ...news(staffs),
    staffs.done({ intent: 'close-others' }),
    linking(performing, '/admin/account', 200),
    unlinking(performing, '/admin/account', 303),
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

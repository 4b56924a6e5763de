import { randomUUID } from 'node:crypto'
import { busyCalendars } from '../../../src/platform/database/schema/staff.ts'
import { fixture } from '../../kit/open.ts'
import { insertIn } from '../../kit/reading.ts'
import {
  type Action,
  type Actions,
  allStaff,
  customers,
  type Fields,
  formAt,
  type Heard,
  type Heards,
  signedIn,
  strangers,
} from './shape.ts'
import { askingTimeOff } from './time-off.ts'

/** Forms about oneself: what is refused is the form, not who sends it. */
const about =
  (path: string, who: (heard: number) => Heards) =>
  (intent: string, heard: number, fields: Fields = {}) =>
    formAt(intent, path, { intent, ...fields }, { [heard < 400 ? 'may' : 'hears']: who(heard) })
const staffs = about('/admin/account', allStaff)
const customersOwn = about('/cuenta', customers)
/** Only who carries appointments out has a calendar of them. */
const performers = about('/admin/account', (heard) => ({
  technician: heard,
  technician2: heard,
  analyst: heard,
}))
/** Their own papers, and the manager the company's. */
const keepers = about('/admin/account', (status) => ({
  technician: status,
  technician2: status,
  manager: status,
}))
const technicians = about('/admin/account', (heard) => ({ technician: heard, technician2: heard }))

/** Only its owner's: that of another person is not there. */
const ofOwnCalendar = (intent: string) =>
  formAt(
    intent,
    '/admin/account',
    async ({ technician: { id: personId } }) => {
      const row = { personId, sealed: '', host: 'a.example', ending: '.ics' }
      return { intent, calendarId: (await insertIn(fixture, busyCalendars, row)).id }
    },
    { hears: { technician2: 404, analyst: 404 }, may: { technician: 303 } },
  )

const wrong = { currentPassword: 'no-es-la-clave' }
const newEmail = { email: 'otro@prueba.mx', ...wrong }

/** A mailbox written wrong is corrected at home, before it is proved. */
export const emailAtHome = about('/?index', customers)('email', 409, newEmail)

/** What everybody sends about their own account. */
const ofAnybody = (own: typeof staffs): readonly Action[] => [
  own('profile', 409, { version: '7', name: 'Otro', lastname: 'Nombre', phone: '5512345678' }),
  own('password', 409, { ...wrong, newPassword: 'una-clave-larga' }),
  own('close-session', 404, { sessionId: randomUUID() }),
  own('email', 409, newEmail),
  own('cancel-email', 409),
  own('second-factor-start', 409, wrong),
  own('second-factor-confirm', 409, { code: '123456' }),
  own('second-factor-passkey', 409, wrong),
  own('second-factor-codes', 409, { ...wrong, code: '123456' }),
  own('second-factor-off', 409, { ...wrong, code: '123456' }),
  own('passkey-add', 400, { credential: '{"id":"x","response":{}}' }),
  // Their session is minutes old.
  own('passkey-start', 200),
  own('passkey-remove', 404, { passkeyId: randomUUID() }),
  own('unlink-provider', 404, { linkId: randomUUID() }),
  own('keys', 303),
  own('contrast', 303, { high: 'on' }),
  own('password-letter', 303),
  own('news-on', 400, { endpoint: 'javascript:0', p256dh: 'x', auth: 'x' }),
  own('news-off', 303),
  own('news-kinds', 303, { agenda: 'on', appointments: 'on' }),
  own('close-others', 303),
]

/** A form for those who are signed out. */
const outside = (path: string, form: Fields, heard: Heard) =>
  formAt(`${path} ${form.intent ?? ''}`, path, form, { hears: { ...signedIn, ...strangers(heard) } })
const recovering = (intent: string, fields: Fields = {}, heard = 400) =>
  outside('/recover-password', { intent, oobCode: 'inventado', ...fields }, heard)
const newPassword = { password: 'una-clave-larga' }

/** Entering, leaving, and who one is. */
export const accounts: Actions = {
  'accounts/screens/signin.tsx': [
    // Without a password: a wrong one would count against the account.
    outside('/signin', { email: 'nadie@prueba.mx', password: '' }, 400),
    // No one here stands between the password and the code.
    outside('/signin', { intent: 'totp-code', code: '123456' }, '/signin'),
    outside('/signin', { intent: 'recovery-code', recoveryCode: 'abcdef-ghjkmn' }, '/signin'),
    outside('/signin', { intent: 'send-phone-code' }, '/signin'),
    outside('/signin', { intent: 'phone-code', phoneCode: '123456' }, '/signin'),
    outside('/signin', { intent: 'start-over' }, '/signin'),
    // Only the demo of this machine has it.
    outside('/signin', { intent: 'advance-day' }, 404),
  ],
  'accounts/screens/signup.tsx': [outside('/signup', { email: 'nadie@prueba.mx', password: 'corta' }, 400)],
  // Whoever signs out is not refused, and test/accounts/session.test.ts says what happens.
  'accounts/screens/signout.ts': [],
  // JSON: test/security/json.test.ts.
  'accounts/screens/endpoint.ts': [],
  // Leads to the provider, whoever asks: test-slow/browser/provider.spec.ts.
  'accounts/screens/provider-start.ts': [],
  'accounts/screens/recover.tsx': [
    recovering('ask', { email: '' }),
    recovering('password', newPassword),
    recovering('prove'),
    recovering('prove-by-password', { password: 'una-clave' }),
    recovering('prove-by-new', newPassword),
    recovering('disown'),
    recovering('resend', {}, 401),
    recovering('change-email'),
    recovering('change-email-new', newPassword),
    recovering('object-email', newPassword),
  ],
  'accounts/screens/my-account.tsx': [
    ...ofAnybody(customersOwn),
    customersOwn('notices', 409, { version: '7', whatsapp: 'on' }),
    customersOwn('delete', 409, wrong),
    customersOwn('keep', 409),
    customersOwn('calendar-link', 200),
    customersOwn('calendar-unlink', 303),
  ],
  'accounts/screens/account.tsx': [
    ...ofAnybody(staffs),
    ...askingTimeOff,
    technicians('visit-card', 303, { plates: 'ABC-12-34' }),
    technicians('day-start', 303, { startsFrom: 'milpa-alta' }),
    performers('busy-add', 303, { address: 'https://8.8.8.8/a.ics' }),
    ...['busy-read', 'busy-remove'].map(ofOwnCalendar),
    // Without its file, and about a paper that is not there.
    keepers('paper-add', 400),
    keepers('paper-remove', 409, { paperId: randomUUID() }),
    performers('calendar-link', 200),
    performers('calendar-unlink', 303),
  ],
}

/** The last: afterwards no one is without a name any more. */
export const completion: Actions = {
  'accounts/screens/completion.tsx': [
    formAt(
      'complete the profile',
      '/completion',
      { name: 'Nueva', lastname: 'Persona', phone: '5511112222' },
      { hears: { ...customers('/'), ...allStaff('/') }, may: { unnamed: 303, unnamedStaff: 303 } },
    ),
  ],
}

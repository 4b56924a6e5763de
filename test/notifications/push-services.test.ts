import { isPushService } from '../../src/notifications/rules/push.ts'

test.each([
  ['https://fcm.googleapis.com/fcm/send/a', true],
  ['https://updates.push.services.mozilla.com/wpush/v2/a', true],
  ['https://db5p.notify.windows.com/w/?token=a', true],
  ['https://web.push.apple.com/a', true],
  ['http://fcm.googleapis.com/a', false],
  ['https://fcm.googleapis.com:8443/a', false],
  ['https://fcm.googleapis.com.otro.example/a', false],
  ['https://notify.windows.com.example/a', false],
  ['https://xnotify.windows.com/a', false],
])('a browser is written to at %s: %s', (endpoint, isKnown) => expect(isPushService(endpoint)).toBe(isKnown))

import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'

type Shown = { title: string; body: string; tag: string; data: unknown; close: () => void }
type Tab = { url: string; focus: () => unknown }
type Message = { data?: { json: () => unknown }; notification?: Shown }

/** The built worker in what a browser gives it: the notices on the screen, the tabs that are open, and the icon's number. */
function openWorker(tabs: string[] = []) {
  const seen = { shown: [] as Shown[], focused: [] as string[], opened: [] as string[], badge: 0 }
  const listeners: Record<string, (event: object) => void> = {}
  const self = {
    location: { origin: 'https://carga.test' },
    addEventListener: (name: string, listener: (event: object) => void) => (listeners[name] = listener),
    registration: {
      showNotification: async (title: string, { body, data, tag }: Omit<Shown, 'title'>) => {
        const close = () => (seen.shown = seen.shown.filter((one) => one.tag !== tag))
        close()
        seen.shown.push({ title, body, data, tag, close })
      },
      getNotifications: async () => seen.shown,
    },
    clients: {
      matchAll: async (): Promise<Tab[]> => tabs.map((url) => ({ url, focus: () => seen.focused.push(url) })),
      openWindow: async (url: URL) => seen.opened.push(url.href),
    },
  }
  const navigator = {
    setAppBadge: async (badge: number) => void Object.assign(seen, { badge }),
    clearAppBadge: async () => void Object.assign(seen, { badge: 0 }),
  }
  runInNewContext(readFileSync('build/client/push.js', 'utf8'), { self, navigator, URL })
  const dispatch = async (name: string, message: Message = {}) => {
    const waits: Promise<unknown>[] = []
    listeners[name]!({ ...message, waitUntil: (one: Promise<unknown>) => waits.push(one) })
    await Promise.all(waits)
  }
  return {
    seen,
    push: (notice?: object) => dispatch('push', notice ? { data: { json: () => notice } } : {}),
    press: (notification: Shown) => dispatch('notificationclick', { notification }),
  }
}

const notice = { title: 'Tu cita cambió', body: 'Toca para ver el detalle.', url: '/cuenta', tag: 'una' }

test('shows a notice, replaces it with the next of the same tag, and counts them on the icon', async () => {
  const { push, seen } = openWorker()
  await push(notice)
  await push(notice)
  await push({ ...notice, tag: 'otra' })
  await push()
  expect(seen.shown).toMatchObject([
    { title: notice.title, body: notice.body, tag: 'una', data: '/cuenta' },
    { tag: 'otra' },
  ])
  expect(seen.badge).toBe(2)
})

test('a pressed notice focuses or opens the tab of its page, and no longer counts', async () => {
  const open = openWorker(['https://carga.test/cuenta', 'https://carga.test/'])
  await open.push(notice)
  await open.press(open.seen.shown[0]!)
  expect(open.seen).toMatchObject({ focused: ['https://carga.test/cuenta'], opened: [], shown: [], badge: 0 })
  const closed = openWorker(['https://carga.test/'])
  await closed.push(notice)
  await closed.press(closed.seen.shown[0]!)
  expect(closed.seen).toMatchObject({ focused: [], opened: ['https://carga.test/cuenta'] })
})

test.each(['https://otro.test/', '//otro.test/x', 'javascript:alert(1)'])(
  'never opens the foreign address %s',
  async (url) => {
    const { press, push, seen } = openWorker()
    await push({ ...notice, url })
    await press(seen.shown[0]!)
    expect(seen.opened).toEqual(['https://carga.test/'])
  },
)

import {
  type Browser,
  browserOf,
  helpFor,
  permissionSteps,
} from '../../../src/calls/screens/room/media-trouble.tsx'

const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0'
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const android = 'Mozilla/5.0 (Linux; Android 10; K)'

test.each<[Browser, string, number]>([
  ['chrome', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Safari/537.36`, 0],
  ['edge', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Safari/537.36 Edg/156.0.0.0`, 10],
  ['firefox', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0', 0],
  ['safari_mac', `${mac} ${webkit} Version/26.0 Safari/605.1.15`, 0],
  ['safari_iphone', `${iphone} ${webkit} Version/26.0 Mobile/15E148 Safari/604.1`, 5],
  ['safari_iphone', `${mac} ${webkit} Version/26.0 Safari/605.1.15`, 5],
  ['other_iphone', `${iphone} ${webkit} CriOS/156.0 Mobile/15E148 Safari/604.1`, 5],
  ['chrome_android', `${android} ${blink} Mobile Safari/537.36`, 5],
  ['within_app', `${android} ${blink} Mobile Safari/537.36 Instagram 400.0.0`, 5],
  ['within_app', `${iphone} ${webkit} Mobile/15E148 [FBAN/FBIOS;FBAV/520.0]`, 5],
  ['other', `${android} SamsungBrowser/29.0 ${blink} Mobile Safari/537.36`, 5],
  ['other', 'something new', 0],
])('recognises %s from %s', (browser, userAgent, maxTouchPoints) => {
  expect(browserOf(userAgent, maxTouchPoints)).toBe(browser)
})

test('explains a refusal for the browser at hand', () => {
  const here = { browser: 'firefox', secure: true } as const
  const help = helpFor({ of: 'both', because: 'denied' }, here)
  expect(help.title).toContain('tu cámara y tu micrófono')
  expect(help.steps).toBe(permissionSteps.firefox)
})

test('explains a page without https, whatever the browser answers', () => {
  const help = helpFor({ of: 'camera', because: 'unsupported' }, { browser: 'chrome', secure: false })
  expect(help.steps[0]).toContain('https://')
})

test('has words for each reason and device', () => {
  const reasons = ['denied', 'missing', 'in_use', 'unsupported', 'other'] as const
  const titles = reasons.flatMap((because) =>
    (['camera', 'microphone', 'both', 'screen'] as const).map((of) => {
      const { title, steps } = helpFor({ of, because }, { browser: 'chrome', secure: true })
      expect(steps.length).toBeGreaterThan(0)
      return title
    }),
  )
  expect(new Set(titles).size).toBe(titles.length)
})

import { readFileSync } from 'node:fs'

// Letters' links carry a key in their query, and a calendar's address is one. What the proxies that we ship write down of a
// request was tried with nginx 1.22 and Caddy 2.6; here stands what that rests on.
const shipped = (file: string) => readFileSync(new URL(`../../deploy/proxy/${file}`, import.meta.url), 'utf8')

test('nginx logs paths without queries, secrets and referrers', () => {
  const conf = shipped('nginx.conf')
  const [, format = ''] = /log_format without_keys '([^']*)'/.exec(conf) ?? []
  const written = format.match(/\$\w+/g) ?? []
  expect(written).toContain('$path_without_keys')
  for (const name of written)
    expect(name).not.toMatch(/^\$(request|request_uri|uri|args|query_string|arg_\w+|http_\w+)$/)
  expect(conf).toMatch(/map \$uri \$path_without_keys \{\s+default \$uri;\s+~\*\^\/\+calendar\/\+feed\/ /)
  for (const path of ['visita', 'garantia']) expect(conf).toContain(`~*^/+${path}/ /${path}/-;`)
  // A server without one of its own has that of the whole nginx, which says all.
  const logs = [...conf.matchAll(/access_log ([^;]+);/g)].map(([, log]) => log)
  expect(logs).toEqual(['off', 'off', '/var/log/nginx/access.log without_keys'])
  expect(conf.match(/^server \{/gm)).toHaveLength(logs.length)
  // Its errors tell the first line of a request as it came.
  expect(conf).toMatch(/error_log \S+ crit;/)
})

test('nginx speaks only the newer TLS, answers its own names only, and limits each address', () => {
  const conf = shipped('nginx.conf')
  expect([...conf.matchAll(/ssl_protocols ([^;]+);/g)].map(([, versions]) => versions)).toEqual(
    Array.from({ length: 2 }, () => 'TLSv1.2 TLSv1.3'),
  )
  expect(conf.match(/ssl_session_tickets off;/g)).toHaveLength(2)
  expect(conf.match(/listen \S+(?: ssl http2)? default_server;/g)).toHaveLength(4)
  for (const line of [
    'return 444;',
    'return 301 https://',
    'limit_conn ',
    'limit_req ',
    'client_body_timeout ',
  ])
    expect(conf).toContain(line)
})

test('Caddy logs paths without queries and secrets', () => {
  const conf = shipped('Caddyfile')
  const [, pattern = '', instead = ''] = /request>uri regexp "([^"]+)" "([^"]*)"/.exec(conf) ?? []
  for (const [uri, written] of [
    ['/recover-password?mode=resetPassword&oobCode=key', '/recover-password'],
    ['/calendar/feed/secret.ics?x=key', '/calendar/feed/'],
    ['/Calendar//Feed/secret.ics', '/Calendar//Feed/'],
    ['/visita/secret/foto?tag', '/visita/'],
    ['/garantia/secret', '/garantia/'],
    ['/admin/users', '/admin/users'],
  ] as const)
    expect(uri.replace(new RegExp(pattern.replace('(?i)', ''), 'gi'), instead)).toBe(written)
  expect(conf).toContain('request>headers delete')
  // A log of its own somewhere else would say all of it.
  expect(conf.match(/^\s*log\b/gm)).toHaveLength(1)
})

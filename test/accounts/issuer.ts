import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Provider, { type Configuration } from 'oidc-provider'

export const client = { id: 'carga', secret: 'el-secreto-de-la-prueba' }

/** A real OpenID Connect issuer on this machine, which lets in whoever the story says, without asking them. */
export async function startIssuer(port: number, redirectUri: string) {
  const story = {
    /** Who signs in there; null leaves the window at the issuer's own page. */
    person: null as { sub: string; email: string; verified: boolean } | null,
    /** Answers nothing, as if it were broken. */
    down: false,
  }
  const origin = `http://localhost:${port}`
  const provider = new Provider(origin, configuration(redirectUri, story))
  provider.on('server_error', (_ctx, error) => console.log('issuer', error.message))
  const answer = provider.callback()
  const server = createServer((request, response) => {
    if (story.down) return response.writeHead(503).end()
    const isInteraction = request.url?.startsWith('/interaction/')
    return isInteraction ? interact(provider, story.person, request, response) : answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    origin,
    story,
    /** Changes the secret at the issuer, so that ours is the wrong one; the answer changes it back. */
    async forgetSecret() {
      const known = (await provider.Client.find(client.id)) as { clientSecret?: string }
      known.clientSecret = 'otro-secreto-de-la-prueba'
      return () => {
        known.clientSecret = client.secret
      }
    },
    stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }
}

type Story = { person: { sub: string; email: string; verified: boolean } | null }

const configuration = (redirectUri: string, story: Story): Configuration => ({
  clients: [
    {
      client_id: client.id,
      client_secret: client.secret,
      redirect_uris: [redirectUri],
      response_types: ['code'],
      grant_types: ['authorization_code'],
    },
  ],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  conformIdTokenClaims: false,
  findAccount: (_ctx, sub) => {
    const { email, verified } = story.person ?? { email: '', verified: false }
    return { accountId: sub, claims: async () => ({ sub, email, email_verified: verified, name: 'Eva' }) }
  },
  pkce: { required: () => true },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  cookies: { keys: ['only for this test'] },
  ttl: { Session: 60, Interaction: 600, Grant: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
})

async function interact(
  provider: Provider,
  person: Story['person'],
  request: IncomingMessage,
  response: ServerResponse,
) {
  if (!person) {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    return response.end('<!doctype html><title>Emisor</title><h1>Inicia sesión en el emisor</h1>')
  }
  const { prompt, session } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login')
    return provider.interactionFinished(request, response, { login: { accountId: person.sub } })
  const grant = new provider.Grant({ accountId: session?.accountId ?? person.sub, clientId: client.id })
  grant.addOIDCScope('openid email profile')
  const consent = { grantId: await grant.save() }
  return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true })
}

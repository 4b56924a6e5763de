import { spawn } from 'node:child_process'
import { root, toolEnv } from './bootstrap.mjs'

/** Runs each step after the other, also after a failure; ends with every step's closing lines and the first failing code. */
export async function runSteps(steps, { closing = 6 } = {}) {
  const results = []
  for (const { name, command, env } of steps) {
    console.log(`\n── ${name}`)
    results.push({ name, ...(await run(command, env)) })
  }
  console.log('\nResumen')
  for (const { name, code, lines } of results) {
    console.log(`${code === 0 ? '✓' : '✗'} ${name}${code === 0 ? '' : ` (código ${code})`}`)
    for (const line of last(lines, code === 0 ? closing : 30)) console.log(`    ${line}`)
  }
  process.exit(results.find(({ code }) => code !== 0)?.code ?? 0)
}

const last = (lines, count) => lines.slice(Math.max(0, lines.length - count))

/** Shows a command's output as it comes and keeps its last lines. */
function run([program, ...args], env) {
  const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
  const child = spawn(program, args, {
    cwd: root,
    env: toolEnv({ ...color, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const keep = (stream) => (chunk) => {
    stream.write(chunk)
    text = (text + chunk).slice(-20_000)
  }
  child.stdout.setEncoding('utf8').on('data', keep(process.stdout))
  child.stderr.setEncoding('utf8').on('data', keep(process.stderr))
  return new Promise((resolve) => {
    const end = (code) => resolve({ code, lines: text.split('\n').filter((line) => line.trim()) })
    child.once('error', (error) => {
      text += error.message
      end(1)
    })
    child.once('close', (code) => end(code ?? 1))
  })
}

/** Tests of what operators download: the image, the binary, the chart and the unit of systemd. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { useDatabase } from '../support/database.ts'
import { freePort } from '../support/http-server.ts'
import { eventually } from '../support/world.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(resolve(root, path), 'utf8')

const run = async (command: string[], env: Record<string, string> = {}, cwd = root) => {
  const child = Bun.spawn(command, { cwd, env: { ...process.env, ...env }, stdout: 'pipe', stderr: 'pipe' })
  const [out, error, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { status, out, error }
}

test('the chart, the upgrade guide and the changelog name the version of the package', () => {
  const { version } = manifest
  expect(Bun.YAML.parse(read('deploy/helm/Chart.yaml'))).toMatchObject({ version, appVersion: version })
  expect(read('deploy/UPGRADE.md')).toContain(`\n## ${version}\n`)
  expect(read('CHANGELOG.md')).toMatch(
    new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - 20\\d\\d-\\d\\d-\\d\\d$`, 'm'),
  )
})

describe('the image', () => {
  const dockerfile = read('Dockerfile').replaceAll('\\\n', ' ')

  test('contains only the root directory, and runs as a user with a numeric ID other than 0', () => {
    const [, last] = dockerfile.split(/^FROM scratch$/m)
    expect(last!.match(/^COPY .*$/gm)).toEqual(['COPY --from=build /rootfs /'])
    expect(last).not.toMatch(/^RUN /m)
    expect(/^USER (.*)$/m.exec(last!)![1]).toMatch(/^[1-9]\d*$/)
    expect(last).toContain('CMD ["/usr/local/bin/customer-engagement-service", "health"]')
  })

  // `unshare` and `chroot` need root. A container runtime also provides /proc and /dev.
  const canMount = process.platform === 'linux' && process.getuid?.() === 0 && Bun.which('unshare') !== null
  describe.skipIf(!canMount)('in an empty root directory that is read-only', () => {
    const database = useDatabase()
    const folder = mkdtempSync(join(tmpdir(), 'rootfs-'))
    const rootfs = join(folder, 'root')
    const binary = join(folder, 'binary')
    const script = `mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" &&
      mount -t proc -o subset=pid,hidepid=invisible proc "$1/proc" && mount --bind /dev "$1/dev" &&
      exec chroot --userspec=10001:10001 "$@"`
    const inRoot = (...command: string[]) => [
      ...['unshare', '--mount', 'bash', '-c', script, 'bash', rootfs],
      ...['/usr/local/bin/customer-engagement-service', ...command],
    ]
    beforeAll(async () => {
      expect(await run(['bun', 'run', 'build'], { BUILD_FILE: binary })).toMatchObject({ status: 0 })
      expect(await run(['deploy/rootfs', binary, rootfs])).toMatchObject({ status: 0 })
      expect(await run(['mkdir', '-p', join(rootfs, 'proc'), join(rootfs, 'dev')])).toMatchObject({ status: 0 })
    }, 120_000)
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    test('prints its version, and starts, answers its health check and stops', async () => {
      expect(await run(inRoot('--version'))).toEqual({ status: 0, out: `${manifest.version}\n`, error: '' })
      const port = await freePort()
      const owner = { OWNER_EMAIL: 'a@shop.example', OWNER_PASSWORD: 'correct horse battery' }
      const env = { HOST: '127.0.0.1', PORT: String(port), DATABASE_URL: database.url, ...owner }
      const child = Bun.spawn(inRoot('start'), {
        env: { PATH: process.env.PATH!, ...env },
        stdout: 'ignore',
        stderr: 'ignore',
      })
      try {
        await eventually('the service answers', async () => (await run(inRoot('health'), env)).status === 0, 60_000)
        const page = await fetch(`http://127.0.0.1:${port}/sign-in`, { headers: { accept: 'text/html' } })
        expect(page.status).toBe(200)
      } finally {
        child.kill('SIGTERM')
      }
      expect(await child.exited).toBe(0)
    }, 120_000)
  })
})

/** Machine in the header of an ELF file for each target. */
const machines = { x64: 0x3e, arm64: 0xb7 }

/** Returns whether Bun can build for the target. It downloads the runtime of another machine once. */
const canBuildFor = (target: string): boolean => {
  if (process.platform === 'linux' && process.arch === target) return true
  const folder = mkdtempSync(join(tmpdir(), 'target-'))
  writeFileSync(join(folder, 'empty.ts'), '')
  const build = ['build', '--compile', `--target=bun-linux-${target}`, '--outfile', 'empty', 'empty.ts']
  const options = { cwd: folder, stdout: 'ignore', stderr: 'ignore', timeout: 20_000 } as const
  const { success } = Bun.spawnSync([process.execPath, ...build], options)
  rmSync(folder, { recursive: true })
  return success
}

describe.skipIf(!Bun.which('npm') || !Bun.which('sha256sum'))('deploy/release', () => {
  const targets = Object.keys(machines).filter(canBuildFor)
  const folder = mkdtempSync(join(tmpdir(), 'release-'))
  const name = `customer-engagement-service-${manifest.version}`
  const binaryFor = (target: string) => `${name}-linux-${target}`
  beforeAll(async () => {
    const env = { BUN: process.execPath, BUILD_DIR: folder, BUILD_TARGETS: targets.join(' ') }
    const { status, error } = await run(['deploy/release'], env)
    expect(status, error).toBe(0)
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  for (const [target, machine] of Object.entries(machines))
    test.skipIf(!targets.includes(target))(`builds the binary for ${target}`, async () => {
      const path = join(folder, binaryFor(target))
      const header = Buffer.from(await Bun.file(path).slice(0, 20).arrayBuffer())
      expect([header.toString('latin1', 1, 4), header.readUInt16LE(18)]).toEqual(['ELF', machine])
      if (target === process.arch)
        expect(await run([path, '--version'])).toEqual({ status: 0, out: `${manifest.version}\n`, error: '' })
    })

  test('lists the checksum of each file', async () => {
    const others = [`${name}.cdx.json`, 'CHANGELOG.md', 'LICENSE', 'UPGRADE.md', ...targets.map(binaryFor)].sort()
    expect(readdirSync(folder).sort()).toEqual([...others, 'SHA256SUMS'].sort())
    const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')
    expect(sums.map(line => line.split('  ')[1]!).sort()).toEqual(others)
    expect(await run(['sha256sum', '--check', '--quiet', 'SHA256SUMS'], {}, folder)).toEqual({
      status: 0,
      out: '',
      error: '',
    })
  })

  test('lists what the binary contains in the bill of materials', () => {
    const { bomFormat, metadata, components, dependencies } = JSON.parse(
      readFileSync(join(folder, `${name}.cdx.json`), 'utf8'),
    )
    expect(bomFormat).toBe('CycloneDX')
    const ref = `${manifest.name}@${manifest.version}`
    expect(metadata.component).toMatchObject({ name: manifest.name, 'bom-ref': ref, purl: `pkg:npm/${ref}` })
    const names: string[] = components.map((component: { name: string }) => component.name)
    expect(names).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)))
    // The service serves a script of the first. Libraries of the service need the others.
    const shipped = ['@scalar/fastify-api-reference', '@types/pg', '@types/react', 'ajv']
    expect(Object.keys(manifest.devDependencies).filter(one => names.includes(one))).toEqual(shipped)
    expect(names).not.toContain('jest-matcher-utils')
    const runtime = { type: 'platform', name: 'bun', version: Bun.version, purl: `pkg:npm/bun@${Bun.version}` }
    expect(components).toContainEqual(expect.objectContaining(runtime))

    const refs = components.map((component: { 'bom-ref': string }) => component['bom-ref'])
    expect(dependencies.map((one: { ref: string }) => one.ref).sort()).toEqual([...refs, ref].sort())
    const targets = dependencies.flatMap((one: { dependsOn: string[] }) => one.dependsOn)
    expect(new Set(targets)).toEqual(new Set(refs))
  })
})

test.skipIf(!Bun.which('systemd-analyze'))('the unit of systemd is valid and has few rights', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'unit-'))
  const unit = join(folder, 'customer-engagement-service.service')
  await Bun.write(
    unit,
    read('deploy/systemd/customer-engagement-service.service').replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'),
  )
  const verified = await run(['systemd-analyze', 'verify', unit])
  expect([verified.status, verified.error]).toEqual([0, ''])
  const { out } = await run(['systemd-analyze', 'security', '--offline=true', unit])
  expect(Number(/exposure level .*: ([\d.]+)/.exec(out)![1])).toBeLessThanOrEqual(1.5)
  rmSync(folder, { recursive: true })
})

describe.skipIf(!Bun.which('helm'))('the chart', () => {
  const everything = [
    ...['--set', 'serviceMonitor.enabled=true,serviceMonitor.tokenKey=METRICS_TOKEN'],
    ...['--set', 'worker.autoscaling.enabled=true,ingress.enabled=true,ingress.host=engage.example.com'],
    ...['--set', 'config.PUBLIC_URL=https://engage.example.com,existingSecret=keys,migratingSecret=owner'],
    ...['--set', 'config.MAIL_FROM=a@shop.example,config.RETENTION_AUDIT=400d'],
  ]
  interface Container {
    env: object[]
    ports?: object[]
  }
  interface Resource {
    kind: string
    metadata: { annotations?: object }
    spec: {
      template?: { spec: { containers: Container[] } }
      ports?: { targetPort: string }[]
      ingress?: object[]
    }
  }
  const parse = (yaml: string) => yaml.split(/^---$/m).flatMap(text => (Bun.YAML.parse(text) ?? []) as Resource[])
  const render = (...options: string[]) =>
    run(['helm', 'template', 'test', 'deploy/helm', '--kube-version', '1.31.0', ...options])

  test('passes helm lint', async () => {
    expect(await run(['helm', 'lint', '--strict', 'deploy/helm'])).toMatchObject({ status: 0 })
  })

  test('runs a Deployment for each role, migrates before an upgrade, and keeps secrets outside', async () => {
    const { out } = await render(...everything)
    const objects = parse(out)
    const kinds = objects.map(({ kind }) => kind).sort()
    expect(kinds).toEqual(
      `Deployment Deployment HorizontalPodAutoscaler Ingress Job NetworkPolicy PodDisruptionBudget PodDisruptionBudget
      Service Service ServiceAccount ServiceMonitor`.split(/\s+/),
    )
    const pods = objects.filter(({ kind }) => kind === 'Deployment').map(one => JSON.stringify(one))
    expect(pods.map(text => /"name":"ROLES","value":"(\w+)"/.exec(text)![1])).toEqual(['http', 'worker'])
    for (const text of pods) {
      expect(text).toContain('"readOnlyRootFilesystem":true')
      expect(text).toContain('"secretRef":{"name":"keys"}')
    }
    const job = objects.find(({ kind }) => kind === 'Job')!
    expect(job.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' })
    const { out: small } = await render()
    expect(small).not.toMatch(/^kind: (ServiceMonitor|HorizontalPodAutoscaler|Ingress|Secret)$/m)
  })

  test('gives the migration only the settings that it uses', async () => {
    const job = parse((await render(...everything)).out).find(({ kind }) => kind === 'Job')!
    const [container] = job.spec.template!.spec.containers
    const fromSecret = (key: string, optional: boolean) => ({
      name: key,
      valueFrom: { secretKeyRef: { name: 'owner', key, optional } },
    })
    expect(container).not.toHaveProperty('envFrom')
    expect(container!.env).toEqual([
      fromSecret('DATABASE_URL', false),
      fromSecret('DATABASE_DIRECT_URL', true),
      fromSecret('CELLS', true),
      { name: 'RETENTION_AUDIT', value: '400d' },
    ])
  })

  test('passes settings on as they are written', async () => {
    const config = { RATE_LIMIT_INVITATIONS: 1_000_000, DATABASE_POOL_SIZE: 12, LOG_FORMAT: 'text', HOST: '::' }
    const { out } = await render('--set-json', `config=${JSON.stringify(config)}`)
    const pods = parse(out).filter(({ kind }) => kind === 'Deployment')
    expect(pods).toHaveLength(2)
    for (const { spec } of pods) {
      const [{ env }] = spec.template!.spec.containers as [Container]
      expect(env).toHaveLength(7)
      expect(env).toEqual(
        expect.arrayContaining(Object.entries(config).map(([name, value]) => ({ name, value: String(value) }))),
      )
    }
  })

  test('gives the migration the cells of the settings instead of those of the Secret', async () => {
    const { out } = await render('--set', 'config.CELLS=citus')
    const job = parse(out).find(({ kind }) => kind === 'Job')!
    const env = job.spec.template!.spec.containers[0]!.env as { name: string; value?: string }[]
    expect(env.filter(({ name }) => name === 'CELLS')).toEqual([{ name: 'CELLS', value: 'citus' }])
  })

  test.each(['ROLES', 'PORT', 'METRICS_PORT'])('refuses config.%s, which the chart sets', async name => {
    const { status, error } = await render('--set', `config.${name}=4000`)
    expect(status).not.toBe(0)
    expect(error).toContain(`Remove config.${name}, because the chart sets ${name} itself.`)
  })

  test('publishes the pages without the metrics, which have a port of their own', async () => {
    const objects = parse((await render(...everything)).out)
    for (const { spec } of objects.filter(({ kind }) => kind === 'Deployment')) {
      const [{ env, ports }] = spec.template!.spec.containers as [Container]
      expect(env).toContainEqual({ name: 'METRICS_PORT', value: '9090' })
      expect(ports).toContainEqual({ name: 'metrics', containerPort: 9090 })
    }
    const services = objects.filter(({ kind }) => kind === 'Service').map(({ spec }) => spec.ports!)
    expect(services.flat().map(({ targetPort }) => targetPort)).toEqual(['metrics', 'http'])
    const { spec } = objects.find(({ kind }) => kind === 'NetworkPolicy')!
    expect(spec.ingress).toEqual([{ ports: [{ port: 'http' }] }, { ports: [{ port: 'metrics' }] }])
  })

  // kubeconform would load the schemas from the network.
  const schemas = process.env.KUBERNETES_SCHEMAS
  test.skipIf(!Bun.which('kubeconform') || !schemas)('passes kubeconform with KUBERNETES_SCHEMAS', async () => {
    const { out } = await render(...everything)
    const file = join(mkdtempSync(join(tmpdir(), 'chart-')), 'chart.yaml')
    await Bun.write(file, out)
    const location = `${schemas}/{{.ResourceKind}}{{.KindSuffix}}.json`
    // The ServiceMonitor is a custom resource without a schema.
    const result = await run([
      ...['kubeconform', '-strict', '-summary', '-ignore-missing-schemas'],
      ...['-schema-location', location, file],
    ])
    expect(result).toMatchObject({
      status: 0,
      out: expect.stringContaining('Valid: 11, Invalid: 0, Errors: 0, Skipped: 1'),
    })
  })
})

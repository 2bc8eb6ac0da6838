using Workerd = import "/workerd/workerd.capnp";

# --socket-addr and --external-addr say where.
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "kv", external = (http = ()))],
  sockets = [(name = "http", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [(name = "cases.mjs", esModule = embed "cases.mjs")],
  compatibilityDate = "2026-04-01",
  bindings = [(name = "KV", kvNamespace = "kv")],
);

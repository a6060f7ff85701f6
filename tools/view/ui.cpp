// SPDX-License-Identifier: MIT
// The interface over Dear ImGui 1.86 or later. C++, because that library is; the C++ runtime is not
// used otherwise: no exceptions, no type information, no memory but the library's own.
//
// Mouse and keys do not come from the library's SDL backend, which looks at their state once a
// frame: a click or a key that is shorter than a frame would be lost, and a software renderer has
// long frames. Events are queued instead, and a frame takes as many as keep their meaning: no key
// or button changes twice, and the mouse does not move on before a click was seen.
#include "tools/view/ui.h"

#include <SDL.h>
#include <backends/imgui_impl_opengl3.h>
#include <backends/imgui_impl_sdl.h>
#include <cfloat>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <epoxy/gl.h>
#include <imgui.h>
#include <imgui_internal.h>

namespace {

constexpr float letter_points = 15.0f; // from the top of a letter to the bottom of another
constexpr float label_share = 0.44f;   // of a panel's width, left of sliders and choices
constexpr double hint_seconds = 0.4;   // that the mouse rests before a hint is shown
constexpr float edge_points =
    12.0f; // of the window, which a panel keeps free that grows with its contents
constexpr uint32_t event_capacity = 512;
constexpr uint32_t control_capacity = 1024;
constexpr uint32_t scope_depth = 16;
constexpr int button_count = 3;

// sRGB, as the window's framebuffer takes them
constexpr ImU32 colour_line = IM_COL32(255, 255, 255, 28);
constexpr ImU32 colour_well = IM_COL32(10, 13, 18, 150);
constexpr ImU32 colour_note = IM_COL32(158, 168, 184, 255);
constexpr ImU32 colour_warning = IM_COL32(255, 194, 92, 255);

// Letters of Latin, and signs that units and keys are written with.
constexpr ImWchar letters[] = {0x0020, 0x024f, 0x03bc, 0x03bc, 0x2010, 0x2027, 0x2030,
                               0x203a, 0x2070, 0x208e, 0x20ac, 0x20ac, 0x2190, 0x2193,
                               0x2212, 0x2212, 0x2248, 0x2248, 0x2264, 0x2265, 0};

// Where systems keep DejaVu Sans. Without it the library's own letters serve.
constexpr const char* font_files[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
    "/usr/share/fonts/TTF/DejaVuSans.ttf",
    "/usr/local/share/fonts/dejavu/DejaVuSans.ttf",
};

enum class event_kind { motion, button, wheel, key, text };

struct event {
    event_kind kind;
    int code; // of a key or button
    bool is_down;
    float x, y; // of the mouse, or of the wheel
    char text[SDL_TEXTINPUTEVENT_TEXT_SIZE];
};

struct control {
    char path[192];
    char value[96];
    ImRect at;
};

// What a frame has taken from the queue.
struct taken {
    bool has_moved, has_clicked, has_text, has_command, has_key; // other than shift and the like
    bool keys[SDL_NUM_SCANCODES];
};

} // namespace

struct tlw_ui {
    SDL_Window* window;
    ImGuiContext* context;
    bool has_sdl, has_gl;
    float text_scale, letter_pixels; // of the font's texture
    event events[event_capacity];
    uint32_t event_first, event_count;
    bool has_taken[SDL_NUM_SCANCODES]; // keys that went down among the events
    ImVec2 mouse;                      // as frames know it
    ImVec2 mouse_last;                 // of the newest event
    bool buttons[button_count];
    uint32_t owned_buttons; // went down over the interface
    bool wants_focus;       // of the first panel, for keys
    bool is_in_box;         // as wide as its texts, which therefore are not broken into lines
    ImVec2 hint_at;
    double hint_since;
    control controls[control_capacity];
    uint32_t control_count;
    char scope[128]; // "PANEL/SCOPE/"
    size_t scope_lengths[scope_depth];
    uint32_t scopes;
};

// ---- Creation

namespace {

void set_style(float text_scale) {
    ImGuiStyle style;
    ImGui::StyleColorsDark(&style);
    style.WindowPadding = {12.0f, 10.0f};
    style.FramePadding = {8.0f, 3.0f};
    style.ItemSpacing = {8.0f, 5.0f};
    style.ItemInnerSpacing = {7.0f, 4.0f};
    style.ScrollbarSize = 11.0f;
    style.GrabMinSize = 9.0f;
    style.WindowRounding = 6.0f;
    style.PopupRounding = style.ChildRounding = 5.0f;
    style.FrameRounding = style.GrabRounding = 4.0f;
    style.ScrollbarRounding = 6.0f;
    style.WindowBorderSize = style.PopupBorderSize = 1.0f;
    style.WindowTitleAlign = {0.0f, 0.5f};
    style.DisabledAlpha = 0.4f;
    const struct {
        ImGuiCol which;
        ImU32 colour;
    } colours[] = {
        {ImGuiCol_Text, IM_COL32(230, 235, 242, 255)},
        {ImGuiCol_TextDisabled, colour_note},
        // Opaque: what is under a panel is not drawn anew in every frame.
        {ImGuiCol_WindowBg, IM_COL32(23, 27, 33, 255)},
        {ImGuiCol_PopupBg, IM_COL32(28, 32, 40, 255)},
        {ImGuiCol_Border, IM_COL32(255, 255, 255, 23)},
        {ImGuiCol_FrameBg, IM_COL32(47, 54, 65, 255)},
        {ImGuiCol_FrameBgHovered, IM_COL32(59, 67, 81, 255)},
        {ImGuiCol_FrameBgActive, IM_COL32(65, 75, 91, 255)},
        {ImGuiCol_TitleBg, IM_COL32(32, 37, 46, 255)},
        {ImGuiCol_TitleBgActive, IM_COL32(38, 45, 57, 255)},
        {ImGuiCol_TitleBgCollapsed, IM_COL32(32, 37, 46, 230)},
        {ImGuiCol_ScrollbarBg, IM_COL32(0, 0, 0, 0)},
        {ImGuiCol_ScrollbarGrab, IM_COL32(84, 94, 112, 204)},
        {ImGuiCol_CheckMark, IM_COL32(120, 189, 250, 255)},
        {ImGuiCol_SliderGrab, IM_COL32(66, 116, 168, 255)},
        {ImGuiCol_SliderGrabActive, IM_COL32(84, 145, 208, 255)},
        {ImGuiCol_Button, IM_COL32(52, 61, 76, 255)},
        {ImGuiCol_ButtonHovered, IM_COL32(67, 83, 105, 255)},
        {ImGuiCol_ButtonActive, IM_COL32(64, 110, 156, 255)},
        {ImGuiCol_Header, IM_COL32(38, 45, 55, 255)},
        {ImGuiCol_HeaderHovered, IM_COL32(52, 62, 78, 255)},
        {ImGuiCol_HeaderActive, IM_COL32(61, 76, 99, 255)},
        {ImGuiCol_Separator, IM_COL32(255, 255, 255, 31)},
        {ImGuiCol_PlotHistogram, IM_COL32(66, 116, 168, 255)},
        {ImGuiCol_TextSelectedBg, IM_COL32(64, 122, 184, 191)},
        {ImGuiCol_NavHighlight, IM_COL32(250, 204, 107, 255)},
    };
    for (const auto& entry : colours) {
        style.Colors[entry.which] = ImGui::ColorConvertU32ToFloat4(entry.colour);
    }
    style.ScaleAllSizes(text_scale);
    ImGui::GetStyle() = style;
}

bool can_read(const char* path) {
    SDL_RWops* file = SDL_RWFromFile(path, "rb");
    return file && SDL_RWclose(file) == 0;
}

// Letters are drawn at the size in pixels that they are shown at, and anew when that changes.
void build_letters(tlw_ui* ui, float text_scale, float pixels_per_point) {
    const float pixels = std::floor(letter_points * text_scale * pixels_per_point + 0.5f);
    ImGuiIO& io = ImGui::GetIO();
    io.FontGlobalScale = 1.0f / pixels_per_point;
    if (pixels == ui->letter_pixels && text_scale == ui->text_scale) {
        return;
    }
    ui->letter_pixels = pixels;
    ui->text_scale = text_scale;
    io.Fonts->Clear();
    const char* path = nullptr;
    for (const char* file : font_files) {
        path = path == nullptr && can_read(file) ? file : path;
    }
    if (path) {
        io.Fonts->AddFontFromFileTTF(path, pixels, nullptr, letters);
    } else {
        ImFontConfig config;
        config.SizePixels = pixels;
        io.Fonts->AddFontDefault(&config);
    }
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
    set_style(text_scale);
}

} // namespace

tlw_ui* tlw_ui_create(SDL_Window* window, void* sdl_context) {
    auto* ui = static_cast<tlw_ui*>(std::calloc(1, sizeof(tlw_ui)));
    if (ui == nullptr) {
        return nullptr;
    }
    ui->window = window;
    ui->mouse = ui->mouse_last = {-FLT_MAX, -FLT_MAX};
    ui->context = ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    ui->has_sdl = ImGui_ImplSDL2_InitForOpenGL(window, sdl_context);
    ui->has_gl = ui->has_sdl && ImGui_ImplOpenGL3_Init("#version 330 core");
    if (!ui->has_gl || !ImGui_ImplOpenGL3_CreateDeviceObjects()) {
        tlw_ui_free(ui);
        return nullptr;
    }
    return ui;
}

void tlw_ui_free(tlw_ui* ui) {
    if (ui == nullptr) {
        return;
    }
    ImGui::SetCurrentContext(ui->context);
    if (ui->has_gl) {
        ImGui_ImplOpenGL3_Shutdown();
    }
    if (ui->has_sdl) {
        ImGui_ImplSDL2_Shutdown();
    }
    ImGui::DestroyContext(ui->context);
    std::free(ui);
}

// ---- Events

namespace {

void release_all(tlw_ui* ui) {
    ImGuiIO& io = ImGui::GetIO();
    std::memset(io.KeysDown, 0, sizeof io.KeysDown);
    io.KeyCtrl = io.KeyShift = io.KeyAlt = io.KeySuper = false;
    std::memset(ui->buttons, 0, sizeof ui->buttons);
    ui->owned_buttons = 0;
    ui->event_count = 0;
}

void push_event(tlw_ui* ui, const event& e) {
    const uint32_t last = (ui->event_first + ui->event_count - 1) % event_capacity;
    if (e.kind == event_kind::motion && ui->event_count > 0 &&
        ui->events[last].kind == event_kind::motion) {
        ui->events[last] = e;
        return;
    }
    if (ui->event_count == event_capacity) {
        release_all(ui); // nothing may stay pressed for ever
    }
    ui->events[(ui->event_first + ui->event_count++) % event_capacity] = e;
}

void push_motion(tlw_ui* ui, float x, float y) {
    event e = {};
    e.kind = event_kind::motion;
    e.x = x;
    e.y = y;
    ui->mouse_last = {x, y};
    push_event(ui, e);
}

// Whether a panel, a list or a box of the last frame is there.
bool is_over(const tlw_ui* ui, ImVec2 at) {
    for (const ImGuiWindow* window : ui->context->Windows) {
        if (window->Active && !window->Hidden &&
            !(window->Flags & ImGuiWindowFlags_NoMouseInputs) &&
            !(window->Flags & ImGuiWindowFlags_ChildWindow) &&
            window->OuterRectClipped.Contains(at)) {
            return true;
        }
    }
    return false;
}

bool take_button(tlw_ui* ui, const SDL_MouseButtonEvent& button) {
    event e = {};
    e.kind = event_kind::button;
    e.is_down = button.type == SDL_MOUSEBUTTONDOWN;
    e.code = button.button == SDL_BUTTON_LEFT     ? 0
             : button.button == SDL_BUTTON_RIGHT  ? 1
             : button.button == SDL_BUTTON_MIDDLE ? 2
                                                  : button_count;
    if (e.code == button_count) {
        return false;
    }
    push_motion(ui, static_cast<float>(button.x), static_cast<float>(button.y));
    push_event(ui, e);
    const uint32_t bit = 1u << e.code;
    const bool is_owned = e.is_down
                              ? ui->context->OpenPopupStack.Size > 0 || is_over(ui, ui->mouse_last)
                              : (ui->owned_buttons & bit) != 0;
    ui->owned_buttons = e.is_down && is_owned ? ui->owned_buttons | bit : ui->owned_buttons & ~bit;
    return is_owned;
}

// Keys go to the interface while it edits a number, and those that move about in it while it shows
// which control they are at.
bool wants_key(tlw_ui* ui, const SDL_KeyboardEvent& key) {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.WantTextInput || ImGui::IsAnyItemActive()) {
        return true;
    }
    switch (key.keysym.sym) {
    case SDLK_TAB:
        ui->wants_focus = ui->context->NavWindow == nullptr;
        return true;
    case SDLK_LEFT:
    case SDLK_RIGHT:
    case SDLK_UP:
    case SDLK_DOWN:
    case SDLK_RETURN:
    case SDLK_SPACE:
    case SDLK_ESCAPE:
        return io.NavVisible || ui->context->OpenPopupStack.Size > 0;
    default:
        return false;
    }
}

// A letter that nothing here waits for is for the window alone. It takes no frames then, so that
// keys that are pressed faster than frames are drawn act at once.
bool is_only_for_window(tlw_ui* ui, const SDL_KeyboardEvent& key) {
    const SDL_Keycode code = key.keysym.sym;
    if (key.type == SDL_KEYUP) {
        return !ui->has_taken[key.keysym.scancode];
    }
    return code > SDLK_SPACE && code < SDLK_DELETE && ui->event_count == 0 &&
           !ImGui::GetIO().KeyCtrl && !wants_key(ui, key);
}

bool take_key(tlw_ui* ui, const SDL_KeyboardEvent& key) {
    event e = {};
    if (is_only_for_window(ui, key)) {
        return false;
    }
    ui->has_taken[key.keysym.scancode] = key.type == SDL_KEYDOWN;
    e.kind = event_kind::key;
    e.code = key.keysym.scancode;
    e.is_down = key.type == SDL_KEYDOWN;
    push_event(ui, e);
    return e.is_down && wants_key(ui, key);
}

bool take_wheel(tlw_ui* ui, const SDL_MouseWheelEvent& wheel) {
    event e = {};
    e.kind = event_kind::wheel;
    e.x = wheel.preciseX;
    e.y = wheel.preciseY;
    push_event(ui, e);
    return is_over(ui, ui->mouse_last);
}

bool take_text(tlw_ui* ui, const SDL_TextInputEvent& text) {
    event e = {};
    if (ui->event_count == 0 && !ImGui::GetIO().WantTextInput && !ImGui::IsAnyItemActive()) {
        return false;
    }
    e.kind = event_kind::text;
    std::memcpy(e.text, text.text, sizeof e.text);
    push_event(ui, e);
    return ImGui::GetIO().WantTextInput;
}

void take_window_event(tlw_ui* ui, const SDL_WindowEvent& e) {
    if (e.event == SDL_WINDOWEVENT_LEAVE && SDL_GetMouseState(nullptr, nullptr) == 0) {
        push_motion(ui, -FLT_MAX, -FLT_MAX);
    } else if (e.event == SDL_WINDOWEVENT_FOCUS_LOST) {
        release_all(ui);
    }
}

} // namespace

bool tlw_ui_take_event(tlw_ui* ui, const SDL_Event* e) {
    switch (e->type) {
    case SDL_MOUSEMOTION:
        push_motion(ui, static_cast<float>(e->motion.x), static_cast<float>(e->motion.y));
        return ui->owned_buttons != 0 || (e->motion.state == 0 && is_over(ui, ui->mouse_last));
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        return take_button(ui, e->button);
    case SDL_MOUSEWHEEL:
        return take_wheel(ui, e->wheel);
    case SDL_KEYDOWN:
    case SDL_KEYUP:
        return take_key(ui, e->key);
    case SDL_TEXTINPUT:
        return take_text(ui, e->text);
    case SDL_WINDOWEVENT:
        take_window_event(ui, e->window);
        return false;
    default:
        return false;
    }
}

bool tlw_ui_has_events(const tlw_ui* ui) {
    return ui->event_count > 0;
}

bool tlw_ui_is_busy(const tlw_ui* ui) {
    return ui->context->ActiveId != 0 || ui->context->IO.WantTextInput;
}

namespace {

// Whether a key acts in a text field without being a letter.
bool is_command(const ImGuiIO& io, int scancode) {
    return io.KeyCtrl || scancode == SDL_SCANCODE_RETURN || scancode == SDL_SCANCODE_KP_ENTER ||
           scancode == SDL_SCANCODE_ESCAPE || scancode == SDL_SCANCODE_BACKSPACE ||
           scancode == SDL_SCANCODE_TAB ||
           (scancode >= SDL_SCANCODE_INSERT && scancode <= SDL_SCANCODE_UP);
}

bool is_modifier(int scancode) {
    return scancode >= SDL_SCANCODE_LCTRL && scancode <= SDL_SCANCODE_RGUI;
}

void apply_key(const event& e) {
    ImGuiIO& io = ImGui::GetIO();
    io.KeysDown[e.code] = e.is_down;
    io.KeyCtrl = io.KeysDown[SDL_SCANCODE_LCTRL] || io.KeysDown[SDL_SCANCODE_RCTRL];
    io.KeyShift = io.KeysDown[SDL_SCANCODE_LSHIFT] || io.KeysDown[SDL_SCANCODE_RSHIFT];
    io.KeyAlt = io.KeysDown[SDL_SCANCODE_LALT] || io.KeysDown[SDL_SCANCODE_RALT];
}

// False: the event has to wait for the next frame.
bool apply_event(tlw_ui* ui, const event& e, taken* t) {
    ImGuiIO& io = ImGui::GetIO();
    switch (e.kind) {
    case event_kind::motion:
        if (t->has_clicked) {
            return false;
        }
        t->has_moved = ui->mouse.x != e.x || ui->mouse.y != e.y;
        ui->mouse = {e.x, e.y};
        return true;
    case event_kind::button:
        // A slider takes the mouse's place only while the button is down.
        if (t->has_clicked || (t->has_moved && !e.is_down)) {
            return false;
        }
        t->has_clicked = true;
        ui->buttons[e.code] = e.is_down;
        return true;
    case event_kind::wheel:
        io.MouseWheelH += e.x;
        io.MouseWheel += e.y;
        return true;
    case event_kind::key:
        // Shift and the like count as they are at the end of the frame, for all keys in it.
        if (t->has_clicked || t->keys[e.code] || (t->has_text && is_command(io, e.code)) ||
            (t->has_key && is_modifier(e.code))) {
            return false;
        }
        t->keys[e.code] = true;
        t->has_key |= !is_modifier(e.code);
        t->has_command |= is_command(io, e.code);
        apply_key(e);
        return true;
    case event_kind::text:
        if (t->has_command) {
            return false;
        }
        t->has_text = true;
        io.AddInputCharactersUTF8(e.text);
        return true;
    }
    return true;
}

void apply_events(tlw_ui* ui) {
    taken t = {};
    while (ui->event_count > 0 && apply_event(ui, ui->events[ui->event_first], &t)) {
        ui->event_first = (ui->event_first + 1) % event_capacity;
        --ui->event_count;
    }
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = ui->mouse;
    for (int b = 0; b < button_count; ++b) {
        io.MouseDown[b] = ui->buttons[b];
    }
}

// ---- Layout

// Cut off where there is no room.
void write_text(char* to, size_t capacity, const char* format, ...) TLW_PRINTF(3, 4);

void write_text(char* to, size_t capacity, const char* format, ...) {
    va_list values;
    va_start(values, format);
    std::vsnprintf(to, capacity, format, values);
    va_end(values);
}

// What can be seen of it: nothing, when it is scrolled out of its panel.
void add_control(tlw_ui* ui, const char* label, ImRect at, const char* value) {
    if (ui->control_count == control_capacity) {
        return;
    }
    control* c = &ui->controls[ui->control_count++];
    write_text(c->path, sizeof c->path, "%s%s", ui->scope, label);
    write_text(c->value, sizeof c->value, "%s", value);
    const ImRect clip = ImGui::GetCurrentWindow()->ClipRect;
    c->at = at;
    if (clip.Overlaps(at)) {
        c->at.ClipWithFull(clip);
    } else {
        c->at.Max = at.Min;
    }
}

void add_last_item(tlw_ui* ui, const char* label, const char* value) {
    add_control(ui, label, {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()}, value);
}

void enter(tlw_ui* ui, const char* name) {
    const size_t length = std::strlen(ui->scope);
    if (ui->scopes < scope_depth) {
        ui->scope_lengths[ui->scopes] = length;
    }
    ++ui->scopes;
    write_text(ui->scope + length, sizeof ui->scope - length, "%s/", name);
}

void leave(tlw_ui* ui) {
    --ui->scopes;
    if (ui->scopes < scope_depth) {
        ui->scope[ui->scope_lengths[ui->scopes]] = 0;
    }
}

} // namespace

void tlw_ui_write_layout(const tlw_ui* ui, FILE* out) {
    for (uint32_t i = 0; i < ui->control_count; ++i) {
        const control& c = ui->controls[i];
        std::fprintf(out, "%s\t%g\t%g\t%g\t%g\t%s\n", c.path, static_cast<double>(c.at.Min.x),
                     static_cast<double>(c.at.Min.y), static_cast<double>(c.at.GetWidth()),
                     static_cast<double>(c.at.GetHeight()), c.value);
    }
}

// ---- Frames and panels

void tlw_ui_begin(tlw_ui* ui, float text_scale) {
    ImGui::SetCurrentContext(ui->context);
    int width = 0, pixels = 0;
    SDL_GetWindowSize(ui->window, &width, nullptr);
    SDL_GL_GetDrawableSize(ui->window, &pixels, nullptr);
    const bool is_seen = width > 0 && pixels > 0;
    build_letters(ui, ImClamp(text_scale, 0.5f, 4.0f),
                  is_seen ? static_cast<float>(pixels) / static_cast<float>(width) : 1.0f);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplSDL2_NewFrame();
    apply_events(ui);
    ImGui::NewFrame();
    ui->control_count = 0;
    ui->scopes = 0;
    ui->scope[0] = 0;
}

void tlw_ui_end(tlw_ui*) {
    ImGui::Render();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDisable(GL_FRAMEBUFFER_SRGB); // colours are sRGB, and blended as such
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

namespace {

void focus_by_key(tlw_ui* ui) {
    if (ui->wants_focus) {
        ui->wants_focus = false;
        ImGui::SetWindowFocus();
        ImGui::NavInitWindow(ImGui::GetCurrentWindow(), true);
        ui->context->NavDisableHighlight = false;
    }
}

} // namespace

bool tlw_ui_begin_panel(tlw_ui* ui, const char* title, float x, float y, float width,
                        float height) {
    const float edge = height > 0.0f ? 0.0f : edge_points;
    const float room = ImGui::GetIO().DisplaySize.y - y - edge;
    ImGui::SetNextWindowPos({x, y});
    ImGui::SetNextWindowSize({width, height});
    ImGui::SetNextWindowSizeConstraints({width, 0.0f}, {width, ImMax(room, 1.0f)});
    const bool is_open =
        ImGui::Begin(title, nullptr,
                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
    const ImGuiWindow* window = ImGui::GetCurrentWindow();
    if (ui->control_count < control_capacity) {
        control* c = &ui->controls[ui->control_count++];
        write_text(c->path, sizeof c->path, "%s", title);
        write_text(c->value, sizeof c->value, "%s", is_open ? "open" : "folded");
        c->at = window->TitleBarRect();
    }
    enter(ui, title);
    if (is_open) {
        focus_by_key(ui);
    }
    return is_open;
}

void tlw_ui_end_panel(tlw_ui* ui) {
    leave(ui);
    ImGui::End();
}

void tlw_ui_begin_box(tlw_ui* ui, const char* title) {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({size.x * 0.5f, size.y * 0.5f}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSizeConstraints({0.0f, 0.0f}, {size.x, size.y});
    ImGui::Begin(title, nullptr,
                 ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                     ImGuiWindowFlags_NoFocusOnAppearing);
    if (ui->context->OpenPopupStack.Size == 0) {
        ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
    }
    enter(ui, title);
    ui->is_in_box = true;
}

void tlw_ui_end_box(tlw_ui* ui) {
    ui->is_in_box = false;
    leave(ui);
    ImGui::End();
}

bool tlw_ui_section(tlw_ui* ui, const char* label, bool is_open_at_first) {
    const bool is_open = ImGui::CollapsingHeader(
        label, is_open_at_first ? ImGuiTreeNodeFlags_DefaultOpen : ImGuiTreeNodeFlags_None);
    add_last_item(ui, label, is_open ? "open" : "folded");
    return is_open;
}

void tlw_ui_push(tlw_ui* ui, const char* scope) {
    enter(ui, scope);
    ImGui::PushID(scope);
}

void tlw_ui_pop(tlw_ui* ui) {
    ImGui::PopID();
    leave(ui);
}

void tlw_ui_beside(tlw_ui*) {
    ImGui::SameLine();
}

void tlw_ui_beside_at(tlw_ui* ui, float points) {
    ImGui::SameLine(points * ui->text_scale);
}

void tlw_ui_line(tlw_ui*) {
    ImGui::Spacing();
    ImGui::Separator();
    ImGui::Spacing();
}

// ---- Texts

void tlw_ui_text(tlw_ui*, const char* format, ...) {
    va_list values;
    va_start(values, format);
    ImGui::TextV(format, values);
    va_end(values);
}

void tlw_ui_note(tlw_ui* ui, const char* format, ...) {
    va_list values;
    va_start(values, format);
    ImGui::PushTextWrapPos(ui->is_in_box ? -1.0f : 0.0f);
    ImGui::PushStyleColor(ImGuiCol_Text, colour_note);
    ImGui::TextV(format, values);
    ImGui::PopStyleColor();
    ImGui::PopTextWrapPos();
    va_end(values);
}

void tlw_ui_warning(tlw_ui*, const char* format, ...) {
    char text[1024];
    va_list values;
    va_start(values, format);
    std::vsnprintf(text, sizeof text, format, values);
    va_end(values);
    ImGui::PushStyleColor(ImGuiCol_Text, colour_warning);
    ImGui::TextUnformatted("!");
    ImGui::SameLine();
    ImGui::TextWrapped("%s", text);
    ImGui::PopStyleColor();
}

namespace {

ImU32 packed(tlw_rgb colour) {
    return ImGui::ColorConvertFloat4ToU32({colour.r, colour.g, colour.b, 1.0f});
}

// A square as high as small letters, then the text, in the place of one line.
void draw_swatch(tlw_rgb colour, const char* text) {
    const float height = ImGui::GetFontSize();
    const float side = std::floor(height * 0.7f), gap = std::floor((height - side) * 0.5f);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 low = {at.x, at.y + gap + 1.0f}, high = {low.x + side, low.y + side};
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(low, high, packed(colour), 2.0f);
    list->AddRect(low, high, IM_COL32(255, 255, 255, 70), 2.0f);
    ImGui::Dummy({side, height});
    ImGui::SameLine(0.0f, ImGui::GetStyle().ItemInnerSpacing.x);
    ImGui::TextUnformatted(text);
}

} // namespace

void tlw_ui_swatch(tlw_ui*, tlw_rgb colour, const char* text) {
    draw_swatch(colour, text);
}

void tlw_ui_hint(tlw_ui* ui, const char* text) {
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) {
        return;
    }
    const ImVec2 at = ImGui::GetItemRectMin();
    const double now = ImGui::GetTime();
    if (at.x != ui->hint_at.x || at.y != ui->hint_at.y || ImGui::IsAnyMouseDown()) {
        ui->hint_at = at;
        ui->hint_since = now;
    }
    if (now - ui->hint_since >= hint_seconds) {
        ImGui::BeginTooltip();
        ImGui::PushTextWrapPos(ImGui::GetFontSize() * 24.0f);
        ImGui::TextUnformatted(text);
        ImGui::PopTextWrapPos();
        ImGui::EndTooltip();
    }
}

void tlw_ui_progress(tlw_ui*, float share, const char* text) {
    ImGui::ProgressBar(ImClamp(share, 0.0f, 1.0f), {-FLT_MIN, 0.0f}, text);
}

// ---- Controls

bool tlw_ui_button(tlw_ui* ui, const char* label) {
    return tlw_ui_button_if(ui, label, true);
}

bool tlw_ui_button_if(tlw_ui* ui, const char* label, bool is_enabled) {
    ImGui::BeginDisabled(!is_enabled);
    const bool is_pressed = ImGui::Button(label);
    ImGui::EndDisabled();
    add_last_item(ui, label, is_enabled ? "" : "disabled");
    return is_pressed;
}

bool tlw_ui_toggle(tlw_ui* ui, const char* label, bool* value) {
    const bool is_changed = ImGui::Checkbox(label, value);
    add_last_item(ui, label, *value ? "on" : "off");
    return is_changed;
}

namespace {

// Writes the label at the left, as much of it as has room. What is drawn until end_field takes the
// rest of the line.
void begin_field(const char* label) {
    const char* end = ImGui::FindRenderedTextEnd(label);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::BeginGroup();
    ImGui::PushID(label);
    if (end != label) {
        const float width = std::floor(ImGui::GetContentRegionAvail().x * label_share);
        const float top = at.y + ImGui::GetStyle().FramePadding.y;
        const ImVec2 high = {at.x + width - ImGui::GetStyle().ItemInnerSpacing.x,
                             top + ImGui::GetFontSize()};
        ImGui::RenderTextEllipsis(ImGui::GetWindowDrawList(), {at.x, top}, high, high.x, high.x,
                                  label, end, nullptr);
        ImGui::SetCursorScreenPos({at.x + width, at.y});
    }
    ImGui::SetNextItemWidth(-FLT_MIN);
}

void end_field() {
    ImGui::PopID();
    ImGui::EndGroup();
}

tlw_ui_edit edit_of_last_item(bool is_changed) {
    return ImGui::IsItemDeactivatedAfterEdit() || (is_changed && !ImGui::IsItemActive())
               ? TLW_UI_DONE
           : is_changed ? TLW_UI_MOVING
                        : TLW_UI_KEPT;
}

} // namespace

bool tlw_ui_choice(tlw_ui* ui, const char* label, uint32_t* chosen, const char* const* names,
                   uint32_t count) {
    const uint32_t before = *chosen;
    const char* shown = before < count ? names[before] : "";
    begin_field(label);
    const bool is_open = ImGui::BeginCombo("##list", shown, ImGuiComboFlags_HeightLarge);
    if (!is_open) {
        add_last_item(ui, label, shown);
    } else {
        enter(ui, label);
        for (uint32_t i = 0; i < count; ++i) {
            ImGui::PushID(static_cast<int>(i));
            if (ImGui::Selectable(names[i], i == before)) {
                *chosen = i;
            }
            add_last_item(ui, names[i], i == before ? "chosen" : "");
            ImGui::PopID();
        }
        leave(ui);
        ImGui::EndCombo();
    }
    end_field();
    return *chosen != before;
}

bool tlw_ui_text_field(tlw_ui* ui, const char* label, char* text, size_t room) {
    begin_field(label);
    const bool is_changed = ImGui::InputText("##text", text, room);
    add_last_item(ui, label, text);
    end_field();
    return is_changed;
}

tlw_ui_edit tlw_ui_slider(tlw_ui* ui, const char* label, float* value, const tlw_ui_range* range) {
    char shown[sizeof ui->controls[0].value];
    begin_field(label);
    const ImGuiSliderFlags flags =
        ImGuiSliderFlags_AlwaysClamp | (range->is_log ? ImGuiSliderFlags_Logarithmic : 0);
    const bool is_changed =
        ImGui::SliderFloat("##bar", value, range->low, range->high, range->format, flags);
    const tlw_ui_edit edit = edit_of_last_item(is_changed);
    ImFormatString(shown, sizeof shown, range->format, static_cast<double>(*value));
    add_last_item(ui, label, shown);
    end_field();
    return edit;
}

tlw_ui_edit tlw_ui_slider_int(tlw_ui* ui, const char* label, uint32_t* value, uint32_t low,
                              uint32_t high) {
    char shown[16];
    begin_field(label);
    const bool is_changed = ImGui::SliderScalar("##bar", ImGuiDataType_U32, value, &low, &high,
                                                "%u", ImGuiSliderFlags_AlwaysClamp);
    const tlw_ui_edit edit = edit_of_last_item(is_changed);
    write_text(shown, sizeof shown, "%u", *value);
    add_last_item(ui, label, shown);
    end_field();
    return edit;
}

// ---- Graphs

namespace {

struct plot {
    const tlw_ui_graph* graph;
    ImDrawList* list;
    ImRect at;
    float low, high;
};

// `age` 0 is the newest value.
float value_of(const tlw_ui_graph& graph, const tlw_ui_series& series, uint32_t age) {
    const uint32_t index = (graph.next + graph.capacity - 1 - age) % graph.capacity;
    const float value = series.values[index];
    return std::isfinite(value) ? value : 0.0f;
}

ImVec2 place_of(const plot& p, uint32_t age, float value) {
    const uint32_t steps = p.graph->capacity > 1 ? p.graph->capacity - 1 : 1;
    const float along = static_cast<float>(age) / static_cast<float>(steps);
    const float up = ImClamp((value - p.low) / (p.high - p.low), 0.0f, 1.0f);
    return {p.at.Max.x - along * p.at.GetWidth(), p.at.Max.y - up * p.at.GetHeight()};
}

void find_axis(plot* p) {
    const tlw_ui_graph& g = *p->graph;
    p->low = g.low;
    p->high = g.high;
    if (g.low == g.high) {
        p->low = ImMin(0.0f, g.has_mark ? g.mark : 0.0f);
        p->high = ImMax(0.0f, g.has_mark ? g.mark : 0.0f);
        for (uint32_t age = 0; age < g.count; ++age) {
            float sum = 0.0f;
            for (uint32_t s = 0; s < g.series_count; ++s) {
                const float value = value_of(g, g.series[s], age);
                sum = g.is_stacked ? sum + value : value;
                p->low = ImMin(p->low, sum);
                p->high = ImMax(p->high, sum);
            }
        }
        const float room = 0.08f * (p->high - p->low);
        p->high += room;
        p->low -= p->low < 0.0f ? room : 0.0f;
    }
    if (!(p->high > p->low)) {
        p->high = p->low + 1.0f;
    }
}

// Without smoothed edges, which would show between quads.
void draw_areas(const plot& p) {
    const tlw_ui_graph& g = *p.graph;
    const ImDrawListFlags flags = p.list->Flags;
    p.list->Flags &= ~ImDrawListFlags_AntiAliasedFill;
    for (uint32_t age = 0; age + 1 < g.count; ++age) {
        float newer = 0.0f, older = 0.0f;
        for (uint32_t s = 0; s < g.series_count; ++s) {
            const float newer_top = newer + value_of(g, g.series[s], age);
            const float older_top = older + value_of(g, g.series[s], age + 1);
            p.list->AddQuadFilled(place_of(p, age + 1, older_top), place_of(p, age, newer_top),
                                  place_of(p, age, newer), place_of(p, age + 1, older),
                                  packed(g.series[s].colour));
            newer = newer_top;
            older = older_top;
        }
    }
    p.list->Flags = flags;
}

void draw_lines(const plot& p) {
    const tlw_ui_graph& g = *p.graph;
    for (uint32_t s = 0; s < g.series_count; ++s) {
        for (uint32_t age = 0; age < g.count; ++age) {
            p.list->PathLineTo(place_of(p, age, value_of(g, g.series[s], age)));
        }
        p.list->PathStroke(packed(g.series[s].colour), ImDrawFlags_None, 1.5f);
    }
}

void draw_number(const plot& p, float value, const char* unit, ImU32 colour, bool is_at_right) {
    char text[64];
    write_text(text, sizeof text, "%.3g %s", static_cast<double>(value), unit);
    const ImVec2 size = ImGui::CalcTextSize(text);
    const float middle = place_of(p, 0, value).y - 0.5f * size.y;
    const float top = ImClamp(middle, p.at.Min.y + 1.0f, p.at.Max.y - size.y - 1.0f);
    const float left = is_at_right ? p.at.Max.x - size.x - 5.0f : p.at.Min.x + 5.0f;
    p.list->AddRectFilled({left - 2.0f, top}, {left + size.x + 2.0f, top + size.y},
                          IM_COL32(14, 17, 23, 170), 3.0f);
    p.list->AddText({left, top}, colour, text);
}

void draw_axis(const plot& p) {
    const char* unit = p.graph->unit ? p.graph->unit : "";
    const float middle = std::floor(place_of(p, 0, 0.0f).y);
    if (p.low < 0.0f && p.high > 0.0f) {
        p.list->AddLine({p.at.Min.x, middle}, {p.at.Max.x, middle}, colour_line);
    }
    draw_number(p, p.high, unit, colour_note, false);
    draw_number(p, p.low, unit, colour_note, false);
    if (p.graph->has_mark) {
        const float y = std::floor(place_of(p, 0, p.graph->mark).y) + 0.5f;
        for (float x = p.at.Min.x; x < p.at.Max.x; x += 8.0f) {
            p.list->AddLine({x, y}, {ImMin(x + 5.0f, p.at.Max.x), y}, colour_warning);
        }
        draw_number(p, p.graph->mark, unit, colour_warning, true);
    }
}

// Names with their newest values, in as many lines as they need. A cell is as wide as its name
// and the longest number, so that numbers do not move what is beside them.
void draw_legend(const tlw_ui_graph& g) {
    const float left = ImGui::GetCursorPosX(), room = ImGui::GetContentRegionAvail().x;
    const float extra = ImGui::CalcTextSize(" 00.00").x + 1.6f * ImGui::GetFontSize();
    float used = 0.0f;
    for (uint32_t s = 0; s < g.series_count; ++s) {
        char text[96];
        if (g.count > 0) {
            const double value = static_cast<double>(value_of(g, g.series[s], 0));
            write_text(text, sizeof text, std::fabs(value) < 10.0 ? "%s %.2f" : "%s %.1f",
                       g.series[s].name, value);
        } else {
            write_text(text, sizeof text, "%s", g.series[s].name);
        }
        const float width = ImGui::CalcTextSize(g.series[s].name).x + extra;
        if (s > 0 && used + width <= room) {
            ImGui::SameLine(left + used);
        } else {
            used = 0.0f;
        }
        used += width;
        draw_swatch(g.series[s].colour, text);
    }
}

} // namespace

void tlw_ui_draw_graph(tlw_ui* ui, const tlw_ui_graph* graph) {
    const char* end = ImGui::FindRenderedTextEnd(graph->label);
    if (end != graph->label) {
        ImGui::TextUnformatted(graph->label, end);
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size = {ImGui::GetContentRegionAvail().x, graph->height};
    ImGui::Dummy(size);
    add_last_item(ui, graph->label, "");
    plot p = {graph, ImGui::GetWindowDrawList(), {at, {at.x + size.x, at.y + size.y}}, 0.0f, 0.0f};
    p.list->AddRectFilled(p.at.Min, p.at.Max, colour_well, 4.0f);
    p.list->PushClipRect(p.at.Min, p.at.Max, true);
    find_axis(&p);
    if (graph->count > 0 && graph->is_stacked) {
        draw_areas(p);
    } else if (graph->count > 0) {
        draw_lines(p);
    }
    draw_axis(p);
    p.list->PopClipRect();
    p.list->AddRect(p.at.Min, p.at.Max, colour_line, 4.0f);
    draw_legend(*graph);
}
